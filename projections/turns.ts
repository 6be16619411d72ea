let turns: Promise<unknown> = Promise.resolve()

/** A later turn of the loop. One at a time, however many wait: work for many callers holds up all others no longer than that for one. */
export const nextTurn = (): Promise<unknown> => {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}
