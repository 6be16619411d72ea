import type { MaybePromise } from '../values/maybe-promise.ts'

/** Where each reactor keeps how far it has got. A lost checkpoint means repeating work, which every reactor must bear. */
export interface Checkpoints {
  /** Position of the last event that the reactor is done with, or -1. */
  get(reactor: string): MaybePromise<number>
  set(reactor: string, position: number): Promise<void>
  /** Every reactor's checkpoint: for moving a log. */
  all(): MaybePromise<ReadonlyMap<string, number>>
}
