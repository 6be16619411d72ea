import type { Ask } from '../decide/ask.ts'
import type { FactReader } from '../decide/command.ts'
import type { Unchecked } from '../model/event-types.ts'
import type { Where } from '../ports/read-models.ts'
import type { EventType, HasEventType, RecordedEvent } from '../values/event.ts'
import type { MintId } from '../values/ids.ts'

/** Something that is asked of each document of a set without bounds, in the order of their ids; goes on where it was after a kill (design 7). */
export interface Batch {
  /** The collection. */
  readonly each: string
  readonly where: Where
  one(id: number): Ask
}

type Follows = readonly (Ask | Batch)[]

/**
 * How the domain reacts to itself (design 7): an event, and what is known by then, to commands. Carried out at least once,
 * so the commands must be safe to repeat; a new instance is made once only, by a claim on its cause.
 */
export interface Policy {
  readonly name: string
  /** Types of events that it reacts to. */
  readonly on: readonly HasEventType[]
  react(event: RecordedEvent, read: FactReader, mint: MintId): Promise<Follows> | Follows
}

/** What is said by events of a type. */
type DataOf<E> = E extends EventType<string, string, infer D> ? (unknown extends D ? Unchecked : D) : never

interface PolicySpec<E extends HasEventType> extends Omit<Policy, 'on' | 'react'> {
  readonly on: readonly E[]
  react(
    event: Omit<RecordedEvent, 'data' | 'type'> & { readonly type: E['type']; readonly data: DataOf<E> },
    read: FactReader,
    mint: MintId,
  ): Promise<Follows> | Follows
}

/** A policy from its declaration. What is said in events that versions before have written is brought forward first. */
export const policy = <E extends HasEventType>(spec: PolicySpec<E>): Policy => spec as unknown as Policy
