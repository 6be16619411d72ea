import { LRUCache } from 'lru-cache'
import type { Decider } from '../decide/decider.ts'
import type { StreamState } from '../decide/stream-state.ts'
import type { Upcaster } from '../decide/upcast.ts'
import { openEvent } from '../model/personal.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Vault } from '../ports/vault.ts'
import type { DomainEvent, Json, Metadata, RecordedEvent } from '../values/event.ts'
import { streamOf } from '../values/stream-name.ts'

/** State of a stream at a revision. */
export interface Loaded {
  readonly state: StreamState
  readonly revision: number
  /** Time of its last event, ISO 8601; empty without events. */
  readonly at: string
  /** Approximate size in memory, in bytes. */
  readonly size: number
}

/** Event that is about to be appended, in the clear. */
export type EventWithMetadata = DomainEvent & { readonly metadata: Metadata }

/** Streams that the engine decides on, folded, with the latest ones cached. */
export interface LoadedStreams {
  /** @param leastRevision cached state that is older is not used */
  load(aggregate: Decider, id: number, leastRevision?: number): Promise<Loaded>
  /** Returns the state after events that follow it. */
  advance(aggregate: Decider, id: number, from: Loaded, events: readonly EventWithMetadata[]): Loaded
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

const NEW_SIZE = 500
const EVENT_SIZE = 200

/** Returns the state of a stream that has no events. */
export const newStream = ({ initial }: Decider): Loaded => ({ state: initial, revision: -1, at: '', size: NEW_SIZE })

/** Estimates the size of a value in memory, in bytes. */
const sizeOf = (value: Json | undefined): number => {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 64
  for (const inner of Object.values(value)) size += sizeOf(inner)
  return size
}

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
  const size = events.reduce((sum, { data }) => sum + EVENT_SIZE + sizeOf(data), from.size)
  const { at } = events.at(-1)!.metadata
  return { state: aggregate.fold(from.state, placed), revision: from.revision + events.length, at, size }
}

/** Creates the streams over a log, with an empty cache. */
export const loadedStreams = ({ log, vault, upcast, cacheBytes, alone }: LoadedStreamsDeps): LoadedStreams => {
  const cache = new LRUCache<string, Loaded>({ maxSize: cacheBytes, sizeCalculation: ({ size }) => size })
  return {
    advance,
    async load(aggregate, id, leastRevision = -1) {
      const stream = streamOf(aggregate, id)
      const cached = cache.get(stream)
      if (cached && alone && cached.revision >= leastRevision) return cached
      const loaded = cached ?? newStream(aggregate)
      const events: RecordedEvent[] = []
      for await (const event of log.readStream(stream, { from: loaded.revision + 1 })) {
        events.push(upcast(await openEvent(vault, event)))
      }
      return advance(aggregate, id, loaded, events)
    },
    cache: (stream, loaded) => void cache.set(stream, loaded),
    drop: (stream) => void cache.delete(stream),
    dropAll: () => cache.clear(),
  }
}
