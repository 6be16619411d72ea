import { promisify } from 'node:util'
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import {
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { append, deleteStream } from './append.ts'
import { batchAppend } from './batch-append.ts'
import { gossipRead, type Member, supportedMethods } from './cluster.ts'
import { type Misbehaviour, wellBehaved } from './faults.ts'
import type { Host } from './host.ts'
import { MemoryStore } from './memory-store.ts'
import { failure } from './messages.ts'
import { read } from './read.ts'
import { Relay } from './relay.ts'

export interface ServerOptions {
  /** Store shared by the nodes of a cluster. Default: an empty one. */
  readonly store?: MemoryStore
  /** The leader of this node. Default: none, this node leads. */
  readonly leader?: { readonly port: number }
  /** Serves TLS with this key and certificate, and admits only this user. */
  readonly secured?: {
    readonly key: string
    readonly certificate: string
    readonly user: string
    readonly password: string
  }
}

/**
 * An EventStoreDB in memory that speaks the real protocol on the loopback interface, and misbehaves when told to.
 */
export class TestServer implements Host {
  readonly store: MemoryStore
  misbehave: Misbehaviour = wellBehaved
  /** Events that have been sent to readers and subscribers. */
  eventsSent = 0
  /** Nodes that this one knows. */
  members: () => readonly Member[] = () => [{ port: this.port, leader: !this.#leader }]
  readonly #relay = new Relay()
  readonly #options: ServerOptions
  #server: Server | undefined
  #leader: ServerOptions['leader']

  private constructor(options: ServerOptions) {
    this.#options = options
    this.#leader = options.leader
    this.store = options.store ?? new MemoryStore()
  }

  static async start(options: ServerOptions = {}): Promise<TestServer> {
    const server = new TestServer(options)
    await server.#listen()
    return server
  }

  get port(): number {
    return this.#relay.port
  }

  get url(): string {
    return this.#options.secured ? `esdb://localhost:${this.port}` : `esdb://127.0.0.1:${this.port}?tls=false`
  }

  fault: Host['fault'] = (call) => this.misbehave(call)

  /** Becomes the leader of its cluster. */
  lead(): void {
    this.#leader = undefined
  }

  sent(): void {
    this.eventsSent++
  }

  drop(): void {
    this.#relay.drop()
  }

  /** Stops answering, breaks every connection, and returns after a while at the same address with its events. */
  async restart(downMs = 0): Promise<void> {
    await this.stop()
    await new Promise((resolve) => setTimeout(resolve, downMs))
    await this.#listen()
  }

  async stop(): Promise<void> {
    await this.#relay.stop()
    this.#server?.forceShutdown()
  }

  refusal(headers: Metadata): ServiceError | undefined {
    const { secured } = this.#options
    const leader = this.#leader
    if (secured) {
      const expected = Buffer.from(`${secured.user}:${secured.password}`).toString('base64')
      const [given] = headers.get('authorization')
      if (given === undefined) {
        return failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })
      }
      if (given !== `Basic ${expected}`) return failure(status.UNAUTHENTICATED, 'Unauthenticated')
    }
    if (!leader || headers.get('requires-leader')[0] !== 'true') return undefined
    return failure(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': '127.0.0.1',
      'leader-endpoint-port': String(leader.port),
    })
  }

  async #listen(): Promise<void> {
    const server = new Server()
    const unsupported: handleUnaryCall<unknown, never> = (_, callback) =>
      callback(failure(status.UNIMPLEMENTED, 'not part of the test server'))
    server.addService(streams.StreamsService, {
      append: append(this),
      batchAppend: batchAppend(this),
      delete: deleteStream(this),
      read: read(this),
      tombstone: unsupported,
    })
    server.addService(gossip.GossipService, { read: gossipRead(() => this.members()) })
    server.addService(features.ServerFeaturesService, { getSupportedMethods: supportedMethods })
    const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', this.#credentials())
    this.#server = server
    await this.#relay.start(port)
  }

  #credentials(): ServerCredentials {
    const { secured } = this.#options
    if (!secured) return ServerCredentials.createInsecure()
    const pair = { private_key: Buffer.from(secured.key), cert_chain: Buffer.from(secured.certificate) }
    return ServerCredentials.createSsl(null, [pair])
  }
}
