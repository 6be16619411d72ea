import { type CarryOut, desk } from '../domain/kernel/engine/desk.ts'
import { Refusal } from '../domain/kernel/values/refusal.ts'
import { READ_YOUR_WRITES_MS } from './read-your-writes.ts'
import type { Service } from './service.ts'

/** What commands are carried out by. */
export type CommandService = Pick<Service, 'engine' | 'ids' | 'progress'>

/** Returns what carries out commands that no operation of the API stands for, and waits until their effect can be read. */
export const carryOutFor =
  ({ engine, ids, progress }: CommandService): CarryOut =>
  async (...asked) => {
    const result = await desk({ engine, ids })(...asked)
    if (!(result instanceof Refusal) && result.position >= 0)
      await progress.reached(result.position, READ_YOUR_WRITES_MS)
    return result
  }
