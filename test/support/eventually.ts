import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 20
/** Longer than anything takes on a busy machine, and shorter than a test may take. */
const WAITED_FOR_MS = 100_000

/** Repeats checks until they pass. @throws the last failure when they still fail after a time that no machine needs */
export const eventually = async (check: () => Promise<unknown>): Promise<void> => {
  for (const begun = Date.now(); ; await sleep(EVERY_MS)) {
    try {
      await check()
      return
    } catch (error) {
      if (Date.now() - begun > WAITED_FOR_MS) throw error
    }
  }
}

/** Waits until a condition holds. @throws {Error} that names it when it never does */
export const until = (holds: () => unknown, what = String(holds)): Promise<void> =>
  eventually(async () => {
    if (!(await holds())) throw new Error(`never: ${what}`)
  })
