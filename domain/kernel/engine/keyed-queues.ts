/** Returns a function that runs work of one name one after another, in the order of the calls, and work of different names concurrently. */
export const keyedQueues = () => {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(name)
    const result = before ? before.then(work) : work()
    const ended = result.catch(() => undefined)
    last.set(name, ended)
    try {
      return await result
    } finally {
      if (last.get(name) === ended) last.delete(name)
    }
  }
}
