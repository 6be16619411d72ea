import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>

/** Sends as fast as the client reads, and nothing to a client that has left. */
export async function send(call: ReadCall, response: ReadResp, copies = 1): Promise<void> {
  for (let copy = 0; copy < copies && !call.cancelled; copy++) {
    if (!call.write(response)) await drained(call)
  }
}

function drained(call: ReadCall): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      call.off('drain', settle)
      call.off('cancelled', settle)
      resolve()
    }
    call.on('drain', settle)
    call.on('cancelled', settle)
    if (call.cancelled) settle()
  })
}
