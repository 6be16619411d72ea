import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 20

/** Repeats checks until they pass. @throws the last failure when they still fail after that time */
export const eventually = async (check: () => Promise<unknown>, withinMs: number): Promise<void> => {
  for (const begun = Date.now(); ; await sleep(EVERY_MS)) {
    try {
      await check()
      return
    } catch (error) {
      if (Date.now() - begun > withinMs) throw error
    }
  }
}

/** Waits until a condition holds. @throws {Error} that names it when it does not within five seconds */
export const until = (holds: () => unknown, what = String(holds)): Promise<void> =>
  eventually(async () => {
    if (!(await holds())) throw new Error(`never: ${what}`)
  }, 5000)
