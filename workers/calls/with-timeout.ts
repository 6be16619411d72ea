/** Returns the first line of an error. */
const reasonIn = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line
}

/** Result of a call whose outcome is not known. */
export interface Unknown {
  readonly came: 'unknown'
  readonly reason: string
}

/**
 * Returns the answer of a call to the outside, or `unknown` when it throws or takes too long. The signal is aborted then,
 * but the call may have been done nevertheless.
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
  const answer = async () => {
    try {
      return await work(controller.signal)
    } catch (error) {
      return { came: 'unknown', reason: reasonIn(error) } satisfies Unknown
    }
  }
  try {
    return await Promise.race([answer(), late])
  } finally {
    clearTimeout(timer)
  }
}
