import { refuse } from '../values/refusal.ts'

/** Tells whether everything up to a position of the log is readable. Waits for it at most `timeoutMs` milliseconds. */
export type AwaitPosition = (position: number, timeoutMs: number) => Promise<boolean>

const READABLE_MS = 30_000
const POLL_MS = 1000
const PAUSE_MS = 10

const behind = () => refuse.unavailable('the read models do not follow the log')

/**
 * Waits until everything up to a position of the log is readable.
 *
 * @throws {Refusal} unavailable, after 30 seconds: the read models do not follow, for example because their disk is full
 */
export const waitUntilReadableWithin = async (reached: AwaitPosition, position: number): Promise<void> => {
  if (!(await reached(position, READABLE_MS))) throw behind()
}

/**
 * Waits without a time limit until everything up to a position of the log is readable. A rebuild may take any time.
 *
 * @param isOver tells whether to stop waiting
 * @throws {Refusal} unavailable, once `isOver` returns true
 */
export const waitUntilReadable = async (
  reached: AwaitPosition,
  position: number,
  isOver: () => boolean,
): Promise<void> => {
  while (!(await reached(position, POLL_MS))) {
    if (isOver()) throw behind()
    // While the process stops, `reached` answers at once: without a pause this would be a busy loop.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
