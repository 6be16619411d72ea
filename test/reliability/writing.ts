import { type Random, random } from '../support/random.ts'
import type { Ledger, Target } from './ledger.ts'
import { type Setting, writeUntilDead } from './writers.ts'

const NOWHERE = 'http://127.0.0.1:1'

/** Writers on a service that keeps running. */
export interface Writing {
  /** Waits until each writer has finished its last write. */
  stop(): Promise<Ledger>
}

/** Starts writers. @param name prefix of their marks */
export const startWriting = (
  target: Target,
  setting: Setting,
  name: string,
  count: number,
  chance: Random,
): Writing => {
  let isOver = false
  // A writer ends when its service does not answer.
  const reached: Target = {
    ...target,
    get url() {
      return isOver ? NOWHERE : target.url
    },
  }
  const writers = Array.from({ length: count }, (_, number) =>
    writeUntilDead(reached, setting, `${name}-${number}`, random(chance.below(2 ** 31))),
  )
  return {
    async stop() {
      isOver = true
      const ledger = (await Promise.all(writers)).flat()
      return ledger.filter((entry) => entry.id !== undefined)
    },
  }
}

/** Writes for some time. @returns the acknowledged writes */
export const writeFor = async (
  milliseconds: number,
  ...[target, setting, name, count, chance]: Parameters<typeof startWriting>
): Promise<Ledger> => {
  const writing = startWriting(target, setting, name, count, chance)
  await new Promise((go) => setTimeout(go, milliseconds))
  return writing.stop()
}
