import type { Change } from '../../domain/kernel/ports/read-models.ts'

/** One change for each document, by collection and id. */
export type ChangesByDocument = Map<string, Map<number | string, Change>>

/** Highest number of bytes in a text that is an id. */
const ID_LIMIT = 760

/**
 * Returns the newest change of each document, without changes up to position `covered`.
 * @throws {Error} for an invalid id, and for one that differs from the document's
 */
export const newestChanges = (changes: readonly Change[], covered: number): ChangesByDocument => {
  const newest: ChangesByDocument = new Map()
  let collection: string | undefined
  let byId = new Map<number | string, Change>()
  for (const change of changes) {
    check(change)
    if (change.position <= covered) continue
    if (change.collection !== collection) {
      collection = change.collection
      byId = newest.get(collection) ?? new Map()
      newest.set(collection, byId)
    }
    const known = byId.get(change.id)
    if (!known || known.position <= change.position) byId.set(change.id, change)
  }
  return newest
}

const isId = (id: unknown): id is number | string => {
  if (typeof id === 'number') return Number.isFinite(id)
  return typeof id === 'string' && Buffer.byteLength(id) <= ID_LIMIT && !id.includes('\0')
}

const check = ({ collection, id, document }: Change): void => {
  if (!isId(id)) throw new Error(`${collection}: ${JSON.stringify(id)} cannot be the id of a document`)
  if (document && document.id !== id) throw new Error(`${collection}: the document for ${id} has the id ${document.id}`)
}
