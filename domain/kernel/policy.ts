import type { FactReader } from './decider.ts'
import type { Decider } from './deciding.ts'
import type { RecordedEvent } from './event.ts'
import type { Where } from './ports/read-models.ts'
import type { RecordCommand } from './rules.ts'

/** A command that follows from an event, and the instance it is for. */
export interface Consequence {
  readonly aggregate: Decider
  /** Of an instance that is there; `new` for one that comes into being by it. */
  readonly id: number | 'new'
  /** It comes into being by it, under that id, which was minted for it. */
  readonly isNew?: true
  command(mint: (kind: string) => number): Omit<RecordCommand, 'id'> & Partial<Pick<RecordCommand, 'id'>>
}

/** A command for each document of a set without bounds, in the order of their ids; goes on where it was after a kill (design 7). */
export interface Walk {
  /** The collection. */
  readonly each: string
  readonly where: Where
  one(id: number): Consequence
}

/**
 * How the domain reacts to itself (design 7): an event, and what is known by then, to commands. Carried out at least once,
 * so the commands must be safe to repeat; a new instance is made once only, by a claim on its cause.
 */
export interface Policy {
  readonly name: string
  /** Event types that it reacts to. */
  readonly on: readonly string[]
  react(
    event: RecordedEvent,
    read: FactReader,
  ): Promise<readonly (Consequence | Walk)[]> | readonly (Consequence | Walk)[]
}
