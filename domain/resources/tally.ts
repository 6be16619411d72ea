import type { CollectionSpec, Document } from '../kernel/ports/read-models.ts'
import type { Json, JsonObject, RecordedEvent } from '../kernel/values/event.ts'

/**
 * Documents that add up events of many streams, such as sums by hour. Where a resource has one document per record, each event of a tally changes
 * documents that the events of other streams change too. They are folded in the order of the log, and each knows the position of the last event that
 * it holds, so that an event that is delivered again changes nothing.
 */
export interface Tally {
  /** Name, which its collections begin with. */
  readonly name: string
  /** To be raised whenever the same events give other documents: they are then rebuilt. */
  readonly version: number
  /** Aggregates whose events it adds up. */
  readonly aggregates: readonly string[]
  readonly collections: readonly CollectionSpec[]
  /** Facts that it notes from the events of a stream, to understand later ones; absent: events say all themselves. */
  readonly facts?: StreamFacts
  /**
   * Returns what an event changes, at most one change of each document. The facts hold the event itself and may hold later ones, so what follows from
   * them must not depend on those.
   */
  changes(event: RecordedEvent, facts: Document | undefined): readonly TallyChange[]
}

/** Facts from earlier events of a stream, in a document of their own. */
export interface StreamFacts {
  /** Collection of the documents; one of those of the tally. */
  readonly collection: string
  /** Aggregate whose streams have facts. The id of the stream is the id of the document. */
  readonly aggregate: string
  /** Returns the facts after an event; `undefined` while there is nothing to note. */
  after(before: JsonObject | undefined, event: RecordedEvent): JsonObject | undefined
}

/** Change of one document of a tally. */
export interface TallyChange {
  readonly collection: string
  readonly id: number | string
  /** Whether no other event changes the document, so that it need not be read. */
  readonly isNew?: boolean
  /** Adds to the content, which is empty before the first change. Objects within it are changed only through `draft`. */
  addTo(content: Draft, draft: Drafting): void
}

/** Object of a document that may be changed. */
export type Draft = Record<string, Json | undefined>

/**
 * Returns an object that may be changed in the place of one that others may hold: a copy, or the object itself when it is such a copy already. So
 * many changes of one document copy it once.
 */
export type Drafting = (object: Readonly<Draft>) => Draft
