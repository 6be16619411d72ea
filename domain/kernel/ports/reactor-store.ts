import type { Json } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/** A reaction to an event that is stored because it waits, either for its next attempt or behind another task in its lane. */
export interface PendingTask {
  /** Tasks of one lane run in order. Its name begins with the name of the reaction. It has at most one row per event. */
  readonly lane: string
  /** Position of the event. */
  readonly position: number
  readonly reaction: string
  /** Concurrency group: tasks that share one limit. */
  readonly gate: string
  /** `null` for tasks outside workspaces. */
  readonly workspace_id: number | null
  /** Number of failed attempts. */
  readonly attempts: number
  /** Earliest time of the next attempt, in milliseconds since 1970; `null`: it waits for the row before it in its lane. */
  readonly due: number | null
  /** Error of the last attempt. */
  readonly error: string | null
}

/** A reaction that was given up. Its lane continues without it until a user sends it again. */
export interface DeadLetter extends Omit<PendingTask, 'due' | 'error'> {
  /** Time at which it was given up, ISO 8601. */
  readonly at: string
  readonly error: string
}

/** A command of a reaction that was refused. That is an outcome, not a failure, and is stored for information. */
export interface RefusedCommand {
  readonly reaction: string
  readonly position: number
  readonly workspace_id: number | null
  readonly at: string
  readonly reason: string
}

/** A concurrency group that had no room for all of its tasks. When it has room, events after the position are read from the log again. */
export interface LaggingGroup {
  readonly gate: string
  readonly reaction: string
  readonly after: number
}

/** One change of the reactor store. */
export type StoreChange =
  /** Adds or replaces a row. One with `due: null` does not replace an existing row. */
  | { readonly owed: PendingTask }
  | { readonly settled: Pick<PendingTask, 'lane' | 'position'> }
  | { readonly dead: DeadLetter }
  | { readonly revived: Pick<PendingTask, 'lane' | 'position'> }
  | { readonly refused: RefusedCommand }
  /** Position of work that resumes after a kill; `null` when it has ended. */
  | { readonly cursor: string; readonly value: Json }
  /** Position up to which a concurrency group that is behind has read the log; `null` when it has caught up or is removed. */
  | { readonly behind: string; readonly reaction: string; readonly after: number | null }
  /** Registers a reaction. It reacts to events after this position. */
  | { readonly reaction: string; readonly since: number }

export interface DeadLetterQuery {
  readonly workspaceId?: number
  /** Task after which the page begins. */
  readonly after?: Pick<PendingTask, 'lane' | 'position'>
  readonly limit: number
}

/**
 * Store for data of the reactor that is not in the log: its checkpoint, pending tasks and dead letters. It is primary data: backed up and exported,
 * never rebuilt. Every implementation passes test/infra/reactor-store.contract.ts.
 */
export interface ReactorStore {
  /**
   * Writes changes and the checkpoint, if it is given. A store without transactions writes pending tasks first, then the checkpoint, and removes rows
   * last; others write all or nothing. Durable when it resolves.
   */
  write(changes: readonly StoreChange[], checkpoint?: number): Promise<void>
  /** Returns the position up to which every reaction is done or stored; `undefined` if nothing was ever written. */
  checkpoint(): MaybePromise<number | undefined>
  /** Returns the registered reactions, each with the position after which it reacts to events. */
  reactions(): MaybePromise<ReadonlyMap<string, number>>
  /** Returns the concurrency groups that are behind. */
  behind(): MaybePromise<readonly LaggingGroup[]>
  /** Returns all pending tasks, in the order of lane and position. */
  pending(): AsyncIterable<PendingTask>
  /** Returns the first pending tasks of a lane, in order. */
  pendingIn(lane: string, limit: number): MaybePromise<readonly PendingTask[]>
  cursor(name: string): MaybePromise<Json>
  cursors(): AsyncIterable<readonly [name: string, value: Json]>
  /** Returns dead letters, in the order of lane and position. */
  deadLetters(query: DeadLetterQuery): MaybePromise<readonly DeadLetter[]>
  /** Returns the numbers of pending tasks and dead letters, by reaction. */
  counts(): MaybePromise<{
    readonly pending: ReadonlyMap<string, number>
    readonly deadLetters: ReadonlyMap<string, number>
  }>
  /** Returns refused commands, the newest first. The last thousand of each workspace are stored. */
  refusals(workspaceId: number | null, limit: number): MaybePromise<readonly RefusedCommand[]>
}
