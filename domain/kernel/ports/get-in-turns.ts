import { nextTurn, timeSlices } from '../values/turns.ts'
import type { Document, Query, ReadModels, WatchedReadModels } from './read-models.ts'
import { placeBehind } from './read-on.ts'

/** Highest number of documents that are read in one turn of the event loop. */
const LARGEST_BATCH = 500
/** Milliseconds for which a batch should hold the event loop at most. To wait for a server does not hold it. */
const BATCH_MS = 5

/**
 * Returns documents in the order of `ids`, as `getMany` does. Other requests are served between the batches of a long list.
 *
 * @param first size of the first batch, from which the others follow: small where large documents are read without a server
 */
export const getInTurns = async (
  read: Pick<ReadModels, 'getMany'>,
  collection: string,
  ids: readonly (number | string)[],
  first = LARGEST_BATCH,
): Promise<readonly (Document | undefined)[]> => {
  const slice = timeSlices()
  const found: (Document | undefined)[] = []
  for (let size = first; found.length < ids.length; ) {
    const batch = ids.slice(found.length, found.length + size)
    const began = performance.now()
    const reading = read.getMany(collection, batch)
    const held = performance.now() - began
    found.push(...(await reading))
    if (found.length < ids.length) await (held > BATCH_MS || size === LARGEST_BATCH ? nextTurn() : slice())
    size = Math.max(1, Math.min(LARGEST_BATCH, Math.floor((batch.length * BATCH_MS) / held)))
  }
  return found
}

/**
 * Returns the documents that a query finds, as `find` does: fewer than its limit only at the end. Large ones are read in several turns where they are read
 * without a server. What is removed meanwhile is left out, and what is changed meanwhile is as it is then.
 */
export const findInTurns = async (
  service: { readonly everywhere: ReadModels; readonly watched?: WatchedReadModels | undefined },
  collection: string,
  query: Query,
): Promise<readonly Document[]> => {
  const { everywhere: live, watched } = service
  if (!watched) return live.find(collection, query)
  const ids = await watched.findIds(collection, query)
  const found = (await getInTurns(live, collection, ids, 1)).filter((document) => document !== undefined)
  const { limit = Number.POSITIVE_INFINITY, sort } = query
  if (ids.length < limit || found.length === ids.length) return found
  const last = found.at(-1)
  const after = last && { after: placeBehind(last, sort?.by) }
  return [...found, ...(await findInTurns(service, collection, { ...query, ...after, limit: limit - found.length }))]
}
