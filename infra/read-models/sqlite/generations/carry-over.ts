import { Thread } from '../../../sqlite/thread.ts'
import type { CarryOverData, CarryOverTask } from './carrying-over.ts'

const module = new URL('./carry-over-thread.js', import.meta.url)

/**
 * Creates a file of read models with some collections of another one, as they are at one moment, indexes included.
 *
 * @returns the position that they have reached
 * @throws {Error} of SQLite, or when `signal` is aborted
 */
export const carryOverCollections = async (
  files: CarryOverData,
  collections: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> => {
  const thread = new Thread<CarryOverTask, number>(module, files)
  try {
    for (const keep of collections) {
      await thread.ask({ keep })
      signal?.throwIfAborted()
    }
    return await thread.ask('end')
  } finally {
    await thread.close()
  }
}
