import { type Random, random } from '../support/random.ts'
import type { Ledger, Target } from './ledger.ts'
import { type Setting, writeUntilDead } from './writers.ts'

const NOWHERE = 'http://127.0.0.1:1'

/** Writers at work on a service that lives on. */
export interface Writing {
  /** Lets each finish what it has sent. */
  stop(): Promise<Ledger>
}

/** @param name begins the marks of these writers */
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

/** Writes for so long. @returns what was acknowledged */
export const writeFor = async (
  milliseconds: number,
  ...[target, setting, name, count, chance]: Parameters<typeof startWriting>
): Promise<Ledger> => {
  const writing = startWriting(target, setting, name, count, chance)
  await new Promise((go) => setTimeout(go, milliseconds))
  return writing.stop()
}
