import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { status } from '@grpc/grpc-js'
import type { Fault } from './faults.ts'
import { type EventFilter, filterOf } from './filter.ts'
import type { Host } from './host.ts'
import type { MemoryStore, Stored } from './memory-store.ts'
import { checkpointResponse, eventResponse, failure, indexOfRecord, streamName } from './messages.ts'
import { type ReadCall, send } from './sending.ts'

/** Events that the real server scans between two checkpoints by default. */
const WINDOW = 32
/** Events that a slow server scans before it rests for a millisecond. */
const SLOW_AFTER = 10
/** Events that a subscriber gets before it is cut off as too slow. */
const CUT_OFF_AFTER = 20

/** Sends past and then new events, from after a position, until the client leaves. */
export async function subscribe(host: Host, call: ReadCall, copies: number, fault?: Fault): Promise<void> {
  const { store } = host
  const options = call.request.getOptions()!
  const filter = options.getFilter()
  const wanted = wantedBy(options)
  const every = Math.max(1, filter?.getMax() || WINDOW) * Math.max(1, filter?.getCheckpointintervalmultiplier() ?? 1)
  await send(call, confirmation())
  const first = startOf(options, store)
  let next = first
  for (let live = false; !call.cancelled; ) {
    const event = store.events[next]
    if (!event) {
      if (!live) await goLive(call, store.events[next - 1], filter !== undefined)
      live = true
      await appended(store, call, next)
      continue
    }
    next++
    if (fault === 'cutOff' && next - first > CUT_OFF_AFTER) throw failure(status.ABORTED, 'resubscription required')
    if (fault === 'slow' && next % SLOW_AFTER === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    if (wanted(event)) {
      host.sent()
      await send(call, eventResponse(event), copies)
    } else if (filter && next % every === 0) await send(call, checkpointResponse(event.position))
  }
}

async function goLive(call: ReadCall, last: Stored | undefined, filtered: boolean): Promise<void> {
  if (filtered && last) await send(call, checkpointResponse(last.position))
  await send(call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()))
}

function confirmation() {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID())
  return new streams.ReadResp().setConfirmation(confirmed)
}

function wantedBy(options: ReadReq.Options): EventFilter {
  const filter = options.getFilter()
  if (filter) return filterOf(filter)
  if (!options.hasStream()) return () => true
  const stream = streamName(options.getStream()!.getStreamIdentifier())
  return (event) => event.stream === stream
}

/** Index of the first event to send. A subscription starts after its position, unlike a read, which starts at it. */
function startOf(options: ReadReq.Options, store: MemoryStore): number {
  const { events } = store
  const at = options.getAll() ?? options.getStream()!
  if (at.hasStart()) return 0
  if (at.hasEnd()) return events.length
  const stream = options.getStream()
  if (!stream) {
    const position = Number(options.getAll()!.getPosition()!.getCommitPosition())
    const index = indexOfRecord(store, position, 'Exception was thrown by handler.')
    return events[index]?.position === position ? index + 1 : index
  }
  const name = streamName(stream.getStreamIdentifier())
  const index = events.findIndex((event) => event.stream === name && event.revision > Number(stream.getRevision()))
  return index < 0 ? events.length : index
}

/** Resolves when the store has an event at the index, or the client has left. */
function appended(store: MemoryStore, call: ReadCall, index: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stop()
      call.off('cancelled', settle)
      resolve()
    }
    const stop = store.onAppend(() => store.events.length > index && settle())
    call.on('cancelled', settle)
    if (call.cancelled) settle()
  })
}
