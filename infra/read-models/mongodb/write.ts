import type { AnyBulkWriteOperation, Collection } from 'mongodb'
import type { Change } from '../../../domain/kernel/ports/read-models.ts'
import { isDuplicate } from '../../mongodb/failures.ts'
import { type Stored, withIds } from './filter.ts'
import { POSITION, toStored } from './stored-form.ts'

/** Ids asked for in one query. */
const IDS = 10_000
/** Documents written in one command: FerretDB 1 keeps open what each replacement reads until the command ends, and stands still at a hundred in all. */
const WRITTEN_AT_ONCE = 20

/**
 * Writes documents, at most one change for each, unless the store holds a newer one. Removed ones stay behind as a mark, so
 * that this holds for them as well. May be repeated, and done by several processes at once: a document is inserted where
 * there is none and replaced only by a newer one, and whoever loses a race for an insert looks again.
 */
export const writeChanges = async (stored: Collection<Stored>, changes: readonly Change[]): Promise<void> => {
  let pending = changes
  while (pending.length > 0) {
    const held = await positionsOf(
      stored,
      pending.map(({ id }) => id),
    )
    pending = pending.filter(({ id, position }) => (held.get(id) ?? -1) < position)
    let isDone = true
    for (let from = 0; from < pending.length; from += WRITTEN_AT_ONCE)
      if (!(await write(stored, pending.slice(from, from + WRITTEN_AT_ONCE), held))) isDone = false
    if (isDone) return
  }
}

/** Stores documents as they are, but those that are there. */
export const insertMissing = async (stored: Collection<Stored>, documents: readonly Stored[]): Promise<void> => {
  try {
    await stored.insertMany(documents, { ordered: false })
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
}

/** Whether everything could be written; otherwise some of it was not. */
const write = async (
  stored: Collection<Stored>,
  changes: readonly Change[],
  held: ReadonlyMap<number | string, number>,
): Promise<boolean> => {
  const operations = changes.map(({ id, document, position }): AnyBulkWriteOperation<Stored> => {
    const replacement = toStored(id, document, position) as Stored
    return held.has(id)
      ? { replaceOne: { filter: { _id: id, [POSITION]: { $lt: position } }, replacement } }
      : { insertOne: { document: replacement } }
  })
  try {
    await stored.bulkWrite(operations, { ordered: false })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

const positionsOf = async (
  stored: Collection<Stored>,
  ids: readonly (number | string)[],
): Promise<Map<number | string, number>> => {
  const held = new Map<number | string, number>()
  for (let from = 0; from < ids.length; from += IDS) {
    const found = await stored.find(withIds(ids.slice(from, from + IDS)), { projection: { [POSITION]: 1 } }).toArray()
    for (const { _id, [POSITION]: position } of found) held.set(_id, position)
  }
  return held
}
