/** Room for so much at once; whoever comes when there is none waits, in order. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>
}

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
        // The place goes to the next one as it is.
        const next = waiting.shift()
        if (next) next()
        else taken--
      }
    },
  }
}
