import type { AnyBulkWriteOperation, Collection } from 'mongodb'
import type { Change } from '../../../domain/kernel/ports/read-models.ts'
import { isDuplicate } from '../../mongodb/failures.ts'
import { type Stored, withIds } from './filter.ts'
import { POSITION, toStored } from './stored-form.ts'

/** Highest number of ids in one query. */
const IDS = 10_000
/** Documents replaced in one command. FerretDB 1 keeps the read of each replacement open until the command ends, and hangs at a hundred. */
const REPLACED_AT_ONCE = 20

/**
 * Writes documents, at most one change for each, unless the store has a newer version. A removed document leaves a mark, so that this
 * holds for it as well. May be repeated, and run by several processes at once: a document is inserted where there is none and replaced
 * only by a newer one, and the loser of a race for an insert looks again. Where all changes have `isNew`, it is trusted at first: then
 * usually nothing has to be looked up.
 */
export const writeChanges = async (stored: Collection<Stored>, changes: readonly Change[]): Promise<void> => {
  if (changes.length > 0 && changes.every(({ isNew }) => isNew !== undefined)) {
    const expected = new Map(changes.flatMap(({ id, isNew }) => (isNew ? [] : [[id, -1] as const])))
    if (await write(stored, changes, expected)) return
  }
  let pending = changes
  while (pending.length > 0) {
    const positions = await positionsOf(
      stored,
      pending.map(({ id }) => id),
    )
    pending = pending.filter(({ id, position }) => (positions.get(id) ?? -1) < position)
    if (pending.length === 0 || (await write(stored, pending, positions))) return
  }
}

/** Inserts documents as they are, except for those that exist already. */
export const insertMissing = async (stored: Collection<Stored>, documents: readonly Stored[]): Promise<void> => {
  try {
    await stored.insertMany(documents, { ordered: false })
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
}

/** Writes changes. Returns false when some were not written. @param existing ids of the documents that are stored */
const write = async (
  stored: Collection<Stored>,
  changes: readonly Change[],
  existing: ReadonlyMap<number | string, number>,
): Promise<boolean> => {
  const inserts = changes.filter(({ id }) => !existing.has(id)).map(insertion)
  const replacements = changes.filter(({ id }) => existing.has(id)).map(replacement)
  let isDone = await writeTogether(stored, [...inserts, ...replacements.slice(0, REPLACED_AT_ONCE)])
  for (let from = REPLACED_AT_ONCE; from < replacements.length; from += REPLACED_AT_ONCE)
    if (!(await writeTogether(stored, replacements.slice(from, from + REPLACED_AT_ONCE)))) isDone = false
  return isDone
}

const insertion = ({ id, document, position }: Change) => ({
  insertOne: { document: toStored(id, document, position) as Stored },
})

const replacement = ({ id, document, position }: Change) => ({
  replaceOne: {
    filter: { _id: id, [POSITION]: { $lt: position } },
    replacement: toStored(id, document, position) as Stored,
  },
})

const writeTogether = async (
  stored: Collection<Stored>,
  operations: readonly AnyBulkWriteOperation<Stored>[],
): Promise<boolean> => {
  try {
    const { matchedCount } = await stored.bulkWrite(operations, { ordered: false })
    return matchedCount === operations.filter((operation) => 'replaceOne' in operation).length
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

const positionsOf = async (
  stored: Collection<Stored>,
  ids: readonly (number | string)[],
): Promise<Map<number | string, number>> => {
  const positions = new Map<number | string, number>()
  for (let from = 0; from < ids.length; from += IDS) {
    const options = { projection: { [POSITION]: 1 }, batchSize: IDS + 1 }
    const found = await stored.find(withIds(ids.slice(from, from + IDS)), options).toArray()
    for (const { _id, [POSITION]: position } of found) positions.set(_id, position)
  }
  return positions
}
