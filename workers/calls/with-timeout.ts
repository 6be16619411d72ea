/** Why something did not end as it should, in a line. */
const reasonIn = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line
}

/** An answer of which nobody knows what it would have been. */
export interface Unknown {
  readonly came: 'unknown'
  readonly reason: string
}

/**
 * What somebody outside answers in time. Whoever answers later, throws, or does not heed the signal has left it open what was done.
 *
 * @param ms real time
 */
export const withTimeout = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | Unknown> => {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => {
      resolve({ came: 'unknown', reason: `no answer within ${ms} ms` })
      controller.abort()
    }, ms)
  })
  const answered = async () => {
    try {
      return await work(controller.signal)
    } catch (error) {
      return { came: 'unknown', reason: reasonIn(error) } satisfies Unknown
    }
  }
  try {
    return await Promise.race([answered(), late])
  } finally {
    clearTimeout(timer)
  }
}
