import { refuse } from '../../domain/kernel/values/refusal.ts'

/** Longest time for which visitors wait until a page is made, in milliseconds. */
const LONGEST_MS = 5000

/** Waits for what is being made, but not without end. @throws {Refusal} unavailable, when it takes too long */
export const inTime = async <T>(making: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const refusal = refuse.unavailable('the page could not be made in time', 1)
    timer = setTimeout(() => reject(refusal), LONGEST_MS)
  })
  try {
    return await Promise.race([making, late])
  } finally {
    clearTimeout(timer)
  }
}
