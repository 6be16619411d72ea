import type { Change } from '../../../domain/kernel/ports/read-models.ts'
import { isId } from './key-buffer.ts'

/** One change a document, by collection and id. */
export type ChangesByDocument = Map<string, Map<number | string, Change>>

/** The newest change of each document, without those up to the position `covered`. @throws {Error} for what cannot be stored. */
export function newestChanges(changes: readonly Change[], covered: number): ChangesByDocument {
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

function check({ collection, id, document }: Change): void {
  if (!isId(id)) throw new Error(`${collection}: ${JSON.stringify(id)} cannot be the id of a document`)
  if (document && document.id !== id) throw new Error(`${collection}: the document for ${id} has the id ${document.id}`)
}
