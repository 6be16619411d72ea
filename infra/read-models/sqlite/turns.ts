let turns: Promise<unknown> = Promise.resolve()

/** One at a time, however many are waited for: work for many callers does not hold up the thread for longer than for one. */
const nextTurn = (): Promise<unknown> => {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}

/** Goes on step by step, each in a turn of the loop of its own, until one says that it was the last. */
export const takingTurns = async (step: () => boolean): Promise<void> => {
  do await nextTurn()
  while (!step())
}
