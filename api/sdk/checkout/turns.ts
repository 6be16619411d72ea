/** Carries out an act when all earlier ones of the same key have ended. */
export type InTurn = <T>(key: string, act: () => Promise<T>) => Promise<T>

/** Creates a queue for each key. */
export const createTurns = (): InTurn => {
  /** The last act of each key that has some. */
  const last = new Map<string, Promise<void>>()
  return (key, act) => {
    const acting = (last.get(key) ?? Promise.resolve()).then(act)
    const ended = acting.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, ended)
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key)
    })
    return acting
  }
}
