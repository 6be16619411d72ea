let turns: Promise<unknown> = Promise.resolve()

/** Resolves in a later turn of the event loop, for one caller per turn. So the work of many callers delays others no longer than that of one. */
export const nextTurn = (): Promise<unknown> => {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}
