import type { Json } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/** A reaction to an event that is written down because it waits: for its next try, or behind another in its lane (design 7). */
export interface PendingTask {
  /** What must go in order; begins with the name of the reaction. One row at most for each event in it. */
  readonly lane: string
  /** Position of the event. */
  readonly position: number
  readonly reaction: string
  /** What is waited for together with others. */
  readonly gate: string
  /** `null`: of no workspace. */
  readonly workspace_id: number | null
  /** Tries that have failed. */
  readonly attempts: number
  /** Not before this time, in milliseconds since 1970; `null`: when the row before it in its lane is gone. */
  readonly due: number | null
  /** What the last try failed with. */
  readonly error: string | null
}

/** A reaction that was given up: its lane goes on without it until somebody sends it again. */
export interface DeadLetter extends Omit<PendingTask, 'due' | 'error'> {
  /** ISO 8601; when it was given up. */
  readonly at: string
  readonly error: string
}

/** A command that followed from an event and was refused: an outcome, kept for whoever wonders. */
export interface RefusedCommand {
  readonly reaction: string
  readonly position: number
  readonly workspace_id: number | null
  readonly at: string
  readonly reason: string
}

/** A gate that had no room for everything: what is for it in the log behind a position is taken up when it has. */
export interface GroupBehind {
  readonly gate: string
  readonly reaction: string
  readonly after: number
}

/** One change of the books. */
export type StoreChange =
  /** Where the row is there already, one that is due only behind another leaves it as it is. */
  | { readonly owed: PendingTask }
  | { readonly settled: Pick<PendingTask, 'lane' | 'position'> }
  | { readonly dead: DeadLetter }
  | { readonly revived: Pick<PendingTask, 'lane' | 'position'> }
  | { readonly refused: RefusedCommand }
  /** How far something has got that goes on after a kill; `null`: it has ended. */
  | { readonly cursor: string; readonly value: Json }
  /** How far a gate has got that is behind; `null`: it is no more. */
  | { readonly behind: string; readonly reaction: string; readonly after: number | null }
  /** The reaction takes part from behind this position on. */
  | { readonly reaction: string; readonly since: number }

export interface DeadLetterQuery {
  readonly workspaceId?: number
  /** Behind this one. */
  readonly after?: Pick<PendingTask, 'lane' | 'position'>
  readonly limit: number
}

/**
 * What the reactor must not lose beside the log (design 7): how far it has got, what it owes, what it gave up. Primary data: backed up, exported,
 * never rebuilt. Every implementation passes test/infra/reactor-store.contract.ts.
 */
export interface ReactorStore {
  /**
   * Writes changes and then, unless it is left out, how far the reactor has got: all of it or nothing where the store can do that, else what is
   * owed first, the checkpoint next, and what takes rows away last. Durable when it resolves.
   */
  write(entries: readonly StoreChange[], checkpoint?: number): Promise<void>
  /** Position up to which everything is done or written down; `undefined`: nothing was ever written. */
  checkpoint(): MaybePromise<number | undefined>
  /** The reactions that take part, and from behind which position on. */
  reactions(): MaybePromise<ReadonlyMap<string, number>>
  /** The gates that are behind. */
  behind(): MaybePromise<readonly GroupBehind[]>
  /** Everything that is owed, by lane and position. */
  pending(): AsyncIterable<PendingTask>
  /** The first of what is owed in a lane, in order. */
  pendingIn(lane: string, limit: number): MaybePromise<readonly PendingTask[]>
  cursor(name: string): MaybePromise<Json>
  cursors(): AsyncIterable<readonly [name: string, value: Json]>
  /** What was given up, by lane and position. */
  deadLetters(asked: DeadLetterQuery): MaybePromise<readonly DeadLetter[]>
  /** How many were given up, and what is owed, by reaction. */
  counts(): MaybePromise<{
    readonly pending: ReadonlyMap<string, number>
    readonly deadLetters: ReadonlyMap<string, number>
  }>
  /** The newest refusals first; of each workspace the last thousand are kept. */
  refusals(workspaceId: number | null, limit: number): MaybePromise<readonly RefusedCommand[]>
}
