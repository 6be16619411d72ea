import { LRUCache } from 'lru-cache'
import type { Decider } from '../decide/decider.ts'
import type { StreamState } from '../decide/stream-state.ts'
import type { Upcaster } from '../decide/upcast.ts'
import { openEvent } from '../model/personal.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Vault } from '../ports/vault.ts'
import type { DomainEvent, Metadata } from '../values/event.ts'
import { streamOf } from '../values/stream-name.ts'
import { timeSlices } from '../values/turns.ts'
import { keyedQueues } from './keyed-queues.ts'

/** State of a stream at a revision. */
export interface Loaded {
  readonly state: StreamState
  readonly revision: number
  /** Time of its last event, ISO 8601; empty without events. */
  readonly at: string
}

/** Event that is about to be appended, in the clear. */
export type EventWithMetadata = DomainEvent & { readonly metadata: Metadata }

/** Streams that the engine decides on or shows, folded, with the latest ones cached. */
export interface LoadedStreams {
  /** @param leastRevision cached state that is older is not used */
  load(aggregate: Decider, id: number, leastRevision?: number): Promise<Loaded>
  /** Returns the state after events that follow it. */
  advance(aggregate: Decider, id: number, from: Loaded, events: readonly EventWithMetadata[]): Loaded
  /** Caches a state, unless it would take too much of the cache, or a newer one is there: the answer to a creation may come after what followed from it. */
  cache(stream: string, loaded: Loaded): void
  drop(stream: string): void
  dropAll(): void
}

interface LoadedStreamsDeps {
  readonly log: Pick<EventLog, 'readStream'>
  readonly vault: Vault
  readonly upcast: Upcaster
  /** Memory for the cache, in bytes. */
  readonly cacheBytes: number
  /** Whether no other process appends to the log. Cached states are then never older than the log. */
  readonly alone: boolean
}

/** Memory of a cached state besides its documents. */
const STATE_BYTES = 500
/** Share of the cache that one state may take, so that it does not displace all others. */
const LARGEST_SHARE = 0.5

/** Returns the state of a stream that has no events. */
export const newStream = ({ initial }: Decider): Loaded => ({ state: initial, revision: -1, at: '' })

const advance: LoadedStreams['advance'] = (aggregate, id, from, events) => {
  if (events.length === 0) return from
  const stream = streamOf(aggregate, id)
  const placed = events.map(({ type, data, metadata }, index) => ({
    type,
    data,
    metadata,
    stream,
    revision: from.revision + 1 + index,
  }))
  const { at } = events.at(-1)!.metadata
  return { state: aggregate.fold(from.state, placed), revision: from.revision + events.length, at }
}

/** Folds the events of a stream that follow a state, as they are read. Lets others have the event loop from time to time. */
const readOn = async (
  { log, vault, upcast }: Pick<LoadedStreamsDeps, 'log' | 'vault' | 'upcast'>,
  aggregate: Decider,
  stream: string,
  from: Loaded,
): Promise<Loaded> => {
  const fold = aggregate.foldFrom(from.state)
  const turn = timeSlices()
  let { revision, at } = from
  for await (const event of log.readStream(stream, { from: revision + 1 })) {
    fold.add(upcast(await openEvent(vault, event)))
    revision = event.revision
    at = event.metadata.at
    const others = turn()
    if (others) await others
  }
  return revision === from.revision ? from : { state: fold.end(), revision, at }
}

/** Creates the streams over a log, with an empty cache. */
export const loadedStreams = ({ cacheBytes, alone, ...deps }: LoadedStreamsDeps): LoadedStreams => {
  const cache = new LRUCache<string, Loaded>({
    maxSize: cacheBytes,
    maxEntrySize: Math.floor(cacheBytes * LARGEST_SHARE),
    sizeCalculation: ({ state }) => STATE_BYTES + state.bytes,
  })
  const runInTurn = keyedQueues()
  /** Streams that are being read and have not been cached or dropped since: what was read of others may be out of date. */
  const reading = new Set<string>()
  const read = async (aggregate: Decider, stream: string): Promise<Loaded> => {
    const from = cache.get(stream) ?? newStream(aggregate)
    reading.add(stream)
    try {
      const loaded = await readOn(deps, aggregate, stream, from)
      if (reading.has(stream) && loaded !== from) cache.set(stream, loaded)
      return loaded
    } finally {
      reading.delete(stream)
    }
  }
  return {
    advance,
    async load(aggregate, id, leastRevision = -1) {
      const stream = streamOf(aggregate, id)
      const known = () => {
        const cached = cache.get(stream)
        return cached && alone && cached.revision >= leastRevision ? cached : undefined
      }
      // Loads of a large stream at the same time would take its memory several times.
      return known() ?? runInTurn(stream, async () => known() ?? read(aggregate, stream))
    },
    cache(stream, loaded) {
      reading.delete(stream)
      if ((cache.peek(stream)?.revision ?? -1) <= loaded.revision) cache.set(stream, loaded)
    },
    drop(stream) {
      reading.delete(stream)
      cache.delete(stream)
    },
    dropAll() {
      reading.clear()
      cache.clear()
    },
  }
}
