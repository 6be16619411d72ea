import { refuse } from './refusal.ts'

/** Whether everything up to a position of the log is readable; waits for it so long at most, in milliseconds. */
export type Reached = (position: number, timeoutMs: number) => Promise<boolean>

const READABLE_MS = 30_000

/**
 * Waits until everything up to a position of the log is readable.
 *
 * @throws {Refusal} unavailable, when the read models do not follow: they may be on a disk that is full
 */
export const untilReadable = async (reached: Reached, position: number): Promise<void> => {
  if (!(await reached(position, READABLE_MS))) throw refuse.unavailable('the read models do not follow the log')
}
