import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import features, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared, { type Empty } from '@eventstore/db-client/generated/shared_pb.js'
import type { handleUnaryCall } from '@grpc/grpc-js'

/** A node of a cluster. */
export interface Member {
  readonly port: number
  readonly leader: boolean
}

/** Returns the members of the cluster and its leader. */
export function gossipRead(members: () => readonly Member[]): handleUnaryCall<Empty, ClusterInfo> {
  const { VNodeState } = gossip.MemberInfo
  return (_, callback) => {
    const infos = members().map(({ port, leader }) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(crypto.randomUUID()))
        .setTimeStamp(String(Date.now()))
        .setState(leader ? VNodeState.LEADER : VNodeState.FOLLOWER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port)),
    )
    callback(null, new gossip.ClusterInfo().setMembersList(infos))
  }
}

const METHODS = ['read', 'append', 'delete', 'batchappend']

/** Returns the methods of the server. */
export const supportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_, callback) => {
  const methods = METHODS.map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  )
  callback(null, new features.SupportedMethods().setEventStoreServerVersion('23.10.0.0').setMethodsList(methods))
}
