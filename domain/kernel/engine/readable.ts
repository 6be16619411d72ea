import { refuse } from '../values/refusal.ts'

/** Whether everything up to a position of the log is readable; waits for it so long at most, in milliseconds. */
export type AwaitPosition = (position: number, timeoutMs: number) => Promise<boolean>

const READABLE_MS = 30_000
const LOOK_MS = 1000
const BREATH_MS = 10

const behind = () => refuse.unavailable('the read models do not follow the log')

/**
 * Waits until everything up to a position of the log is readable.
 *
 * @throws {Refusal} unavailable, when the read models do not follow: they may be on a disk that is full
 */
export const untilReadable = async (reached: AwaitPosition, position: number): Promise<void> => {
  if (!(await reached(position, READABLE_MS))) throw behind()
}

/**
 * Waits as long as that takes, as beside a rebuild of any length, unless it is over.
 *
 * @throws {Refusal} unavailable, when nobody waits for it any more
 */
export const onceReadable = async (reached: AwaitPosition, position: number, isOver: () => boolean): Promise<void> => {
  while (!(await reached(position, LOOK_MS))) {
    if (isOver()) throw behind()
    // What is told at once, by what is being stopped, must not be asked without a breath.
    await new Promise((resolve) => setTimeout(resolve, BREATH_MS))
  }
}
