import { refusalIn } from '../domain/kernel/refusal.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5000

/** Whether an error says that a store cannot do something for the moment, be it a full disk or a server that is away. */
export const isPassing = (error: unknown): boolean => refusalIn(error)?.kind === 'unavailable'

/** How long to wait for a store that is away, each time anew; milliseconds, without end. */
export function* waits(): Generator<number, never> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) yield wait
}
