import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 50

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
