import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { handleServerStreamingCall, ServiceError } from '@grpc/grpc-js'
import type { Fault } from './faults.ts'
import { type EventFilter, filterOf } from './filter.ts'
import type { Host } from './host.ts'
import type { Stored } from './memory-store.ts'
import { eventResponse, indexOfRecord, notFoundResponse, notReady, streamName } from './messages.ts'
import { type ReadCall, send } from './sending.ts'
import { subscribe } from './subscribe.ts'

const BEFORE_FAULT = 3

/** Handles a read of a stream or of all events, finite or as a subscription. */
export function read(host: Host): handleServerStreamingCall<ReadReq, ReadResp> {
  return (call) => {
    call.on('error', () => {})
    serve(host, call).catch((error: ServiceError) => call.emit('error', error))
  }
}

async function serve(host: Host, call: ReadCall): Promise<void> {
  const refusal = host.refusal(call.metadata)
  if (refusal) throw refusal
  const options = call.request.getOptions()!
  const stream = options.hasStream() ? streamName(options.getStream()!.getStreamIdentifier()) : undefined
  const method = options.hasSubscription() ? 'subscribe' : 'read'
  const fault = host.fault(stream === undefined ? { method } : { method, stream })
  if (fault === 'notReady') throw notReady()
  if (fault === 'dropBefore') return host.drop()
  if (fault === 'stallBefore') return
  const copies = fault === 'duplicate' ? 2 : 1
  if (method === 'subscribe') return subscribe(host, call, copies, fault)
  if (stream !== undefined && !host.store.stream(stream)) call.write(notFoundResponse(stream))
  const events = stream === undefined ? allEvents(host, options) : streamEvents(host, options, stream)
  await sendAll(host, call, events, Number(options.getCount()), copies, fault)
  // Sent data needs a moment to leave before the connection is broken.
  if (fault === 'dropAfter') await new Promise((resolve) => setTimeout(resolve, 5))
  if (fault === 'dropAfter') return host.drop()
  if (fault !== 'stallAfter') call.end()
}

async function sendAll(
  host: Host,
  call: ReadCall,
  events: Iterable<Stored>,
  count: number,
  copies: number,
  fault?: Fault,
) {
  // For a read, a fault "after" means in the middle: a few events have been sent by then.
  let left = fault === 'dropAfter' || fault === 'stallAfter' ? Math.min(count, BEFORE_FAULT) : count
  for (const event of events) {
    if (left-- <= 0 || call.cancelled) return
    host.sent()
    await send(call, eventResponse(event), copies)
  }
}

function streamEvents({ store }: Host, options: ReadReq.Options, stream: string): Iterable<Stored> {
  const events = store.stream(stream) ?? []
  const at = options.getStream()!
  const first = events[0]?.revision ?? 0
  const index = at.hasStart() ? 0 : at.hasEnd() ? events.length - 1 : Number(at.getRevision()) - first
  return from(events, index, isBackwards(options))
}

function allEvents({ store }: Host, options: ReadReq.Options): Iterable<Stored> {
  const at = options.getAll()!
  const index = at.hasStart()
    ? 0
    : at.hasEnd()
      ? store.events.length - 1
      : indexOfRecord(store, Number(at.getPosition()?.getCommitPosition()), 'Unexpected ReadAllResult: Error')
  return from(
    store.events,
    index,
    isBackwards(options),
    options.hasFilter() ? filterOf(options.getFilter()!) : () => true,
  )
}

function isBackwards(options: ReadReq.Options): boolean {
  return options.getReadDirection() === 1
}

function* from(
  events: readonly Stored[],
  index: number,
  backwards: boolean,
  wanted: EventFilter = () => true,
): Generator<Stored> {
  const step = backwards ? -1 : 1
  for (let at = backwards ? Math.min(index, events.length - 1) : Math.max(index, 0); events[at]; at += step) {
    if (wanted(events[at]!)) yield events[at]!
  }
}
