import { nextTurn } from '../values/turns.ts'
import type { Document, ReadModels } from './read-models.ts'

/** Numbers of documents that are read in one turn of the event loop: at first, since they may be large, and at most. */
const FIRST_BATCH = 1
const LARGEST_BATCH = 500
/** Milliseconds that a batch should take at most. */
const BATCH_MS = 5

/** Returns documents in the order of `ids`, as `getMany` does. Other requests are served between batches that take long. */
export const getInTurns = async (
  read: Pick<ReadModels, 'getMany'>,
  collection: string,
  ids: readonly (number | string)[],
): Promise<readonly (Document | undefined)[]> => {
  const found: (Document | undefined)[] = []
  for (let size = FIRST_BATCH; found.length < ids.length; ) {
    const began = performance.now()
    const batch = ids.slice(found.length, found.length + size)
    found.push(...(await read.getMany(collection, batch)))
    const took = performance.now() - began
    if (found.length < ids.length && (took > BATCH_MS || size === LARGEST_BATCH)) await nextTurn()
    size = Math.max(1, Math.min(LARGEST_BATCH, Math.floor((batch.length * BATCH_MS) / took)))
  }
  return found
}
