/** Limits how much work runs at once. Further work waits, in order. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>
}

/** @param size how much work may run at once */
export const createSemaphore = (size: number): Semaphore => {
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    async run(work) {
      if (taken < size) taken++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // The slot passes directly to the next in line.
        const next = waiting.shift()
        if (next) next()
        else taken--
      }
    },
  }
}
