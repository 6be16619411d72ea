import type { MaybePromise } from '../values/maybe-promise.ts'

/** Store for the checkpoint of each reactor. A lost checkpoint means that work is repeated, which every reactor must tolerate. */
export interface Checkpoints {
  /** Returns the position of the last event that the reactor has finished, or -1. */
  get(reactor: string): MaybePromise<number>
  set(reactor: string, position: number): Promise<void>
  /** Returns the checkpoints of all reactors, for moving a log. */
  all(): MaybePromise<ReadonlyMap<string, number>>
}
