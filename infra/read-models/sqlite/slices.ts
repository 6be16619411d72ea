import type { MaybePromise } from '../../../domain/kernel/ports/read-models.ts'

/**
 * Work that can be interrupted where it yields, which it does every now and then. What it is given back says whether other things
 * have happened meanwhile, so that what was read before may no longer be so.
 */
export type Work<T> = Generator<undefined, T, boolean>

/** How long work may hold up the thread in one turn of the loop. */
const SLICE_MS = 5

let turns: Promise<unknown> = Promise.resolve()

/** One at a time, however many are waited for: work for many callers does not hold up the thread for longer than for one. */
const nextTurn = (): Promise<unknown> => {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}

/**
 * Does the work, in slices with turns of the loop between them where it takes long.
 * @param turn runs a slice
 */
export const inSlices = <T>(work: Work<T>, turn: (slice: () => T | undefined) => T | undefined): MaybePromise<T> => {
  let [isOver, isLater] = [false, false]
  const slice = (): T | undefined => {
    const end = performance.now() + SLICE_MS
    for (;;) {
      const { done, value } = work.next(isLater)
      isLater = false
      if (done) isOver = true
      if (done) return value
      if (performance.now() > end) return undefined
    }
  }
  const first = turn(slice)
  if (isOver) return first as T
  return (async () => {
    for (;;) {
      await nextTurn()
      isLater = true
      const result = turn(slice)
      if (isOver) return result as T
    }
  })()
}
