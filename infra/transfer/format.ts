import { createHash, type Hash } from 'node:crypto'
import type { CounterAt } from '../../domain/kernel/ports/counters.ts'
import type { Claim } from '../../domain/kernel/ports/event-log.ts'
import type { StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'

export interface CheckpointLine {
  readonly checkpoint: { readonly reactor: string; readonly position: number }
}

/** Line for the reactor store in an archive: a change that writes it again. */
export type ReactorStoreLine = Exclude<
  StoreChange,
  { readonly settled: unknown } | { readonly revived: unknown } | { readonly refused: unknown }
>

/**
 * One line of an archive of a whole log. Claims, counters and the reactor store come first, then the events in their order. The key of a person comes
 * before the first event that is sealed for that person. It is wrapped under the master secret, which an archive does not hold.
 */
export type ArchiveLine =
  | { readonly claim: Claim }
  | CheckpointLine
  | { readonly counter: CounterAt }
  | ReactorStoreLine
  | { readonly key: { readonly subject: number; readonly wrapped: string | null } }
  | { readonly event: RecordedEvent }
  | { readonly end: Summary }

/** Number of events in an archive, and a digest of their ids, streams, revisions, types, data and metadata, in order. */
export interface Summary {
  readonly events: number
  readonly sha256: string
}

/** Counts and digests events as they pass. Positions differ between logs and are left out. */
export class Tally {
  readonly #hash: Hash = createHash('sha256')
  #events = 0

  /** @returns the length of the event as text */
  add({ stream, revision, id, type, data, metadata }: RecordedEvent): number {
    const text = JSON.stringify([stream, revision, id, type, sorted(data), sorted(metadata)])
    this.#hash.update(`${text}\n`)
    this.#events++
    return text.length
  }

  get events(): number {
    return this.#events
  }

  summary(): Summary {
    return { events: this.#events, sha256: this.#hash.copy().digest('hex') }
  }
}

/** Returns the value with the keys of objects in order, because stores may keep them in another order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]))
}
