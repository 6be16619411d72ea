import type { Ask } from '../decide/ask.ts'
import type { FactReader } from '../decide/command.ts'
import type { UnknownData } from '../model/event-types.ts'
import type { Document, Where } from '../ports/read-models.ts'
import type { EventType, HasEventType, RecordedEvent } from '../values/event.ts'
import type { MintId } from '../values/ids.ts'

/** One command for each document of an unbounded set, in the order of ids. After a kill it resumes where it was. A policy may return several. */
export interface Batch {
  /** Name of the collection. */
  readonly each: string
  readonly where: Where
  one(id: number, document: Document): Ask
}

/** One command for each piece of an unbounded set, in the order of ids: for up to 200 documents together. A piece that was begun stays the same after a kill. */
export interface PieceBatch {
  /** Name of the collection. */
  readonly inPieces: string
  readonly where: Where
  /** @param after id behind which the piece begins, which no other piece of the batch has. @returns `undefined`: nothing is to be done for it */
  piece(documents: readonly Document[], after: number): Ask | undefined
}

type PolicyResult = readonly (Ask | Batch | PieceBatch)[]

/**
 * A reaction of the domain to its own events: from an event and the documents at that time it makes commands. It is carried
 * out at least once, so the commands must be safe to repeat. A claim on the cause makes sure that a new instance is created only once.
 */
export interface Policy {
  readonly name: string
  /** Types of events that it reacts to. */
  readonly on: readonly HasEventType[]
  /** Condition that the event must meet as well. */
  when?(event: RecordedEvent): boolean
  react(event: RecordedEvent, read: FactReader, mint: MintId): Promise<PolicyResult> | PolicyResult
}

/** Data of events of a type. */
type DataOf<E> = E extends EventType<string, string, infer D> ? (unknown extends D ? UnknownData : D) : never

interface PolicySpec<E extends HasEventType> extends Omit<Policy, 'on' | 'react'> {
  readonly on: readonly E[]
  react(
    event: Omit<RecordedEvent, 'data' | 'type'> & { readonly type: E['type']; readonly data: DataOf<E> },
    read: FactReader,
    mint: MintId,
  ): Promise<PolicyResult> | PolicyResult
}

/** Makes a policy from its declaration. Events of older versions are upcast before it sees them. */
export const policy = <E extends HasEventType>(spec: PolicySpec<E>): Policy => spec as unknown as Policy
