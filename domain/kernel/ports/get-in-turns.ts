import { nextTurn } from '../values/turns.ts'
import type { Document, ReadModels } from './read-models.ts'

/** Number of documents that are read in one turn of the event loop. */
const BATCH = 500

/** Returns documents in the order of `ids`, as `getMany` does. Other requests are served between the batches of a long list. */
export const getInTurns = async (
  read: Pick<ReadModels, 'getMany'>,
  collection: string,
  ids: readonly (number | string)[],
): Promise<readonly (Document | undefined)[]> => {
  if (ids.length <= BATCH) return read.getMany(collection, ids)
  const found: (Document | undefined)[] = []
  for (let at = 0; at < ids.length; at += BATCH) {
    if (at > 0) await nextTurn()
    found.push(...(await read.getMany(collection, ids.slice(at, at + BATCH))))
  }
  return found
}
