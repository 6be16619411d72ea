import type { Change, Document } from '../../../../domain/kernel/ports/read-models.ts'
import { getOrInsert } from '../../../../domain/kernel/values/get-or-insert.ts'
import type { ChangesByDocument } from '../../newest-changes.ts'
import type { CollectionRows, Row } from '../row.ts'

/** Changes that were applied together, with their rows for the file. */
export interface Unit {
  readonly changes: ChangesByDocument
  readonly rows: readonly CollectionRows[]
  readonly checkpoint: number
}

/** Units that are being written, with the rows and the checkpoint to write. */
export interface Writing {
  readonly units: readonly Unit[]
  readonly rows: readonly CollectionRows[]
  readonly checkpoint: number
}

type ChangesById = Map<number | string, Change>

/** Newest change of each document of a collection that waits to be written, by id. */
export type PendingChanges = ReadonlyMap<number | string, Change>

export const NOTHING: PendingChanges = new Map()

/** Changes that can be read although they are not in the file yet, in the order in which they came. */
export class Pending {
  readonly #newest = new Map<string, ChangesById>()
  #units: Unit[] = []
  #checkpoint = -1
  #size = 0
  #landed = 0

  /** Number of changes that wait. */
  get size(): number {
    return this.#size
  }

  /** Number of changes that have reached the file so far. */
  get landings(): number {
    return this.#landed
  }

  of(collection: string): PendingChanges {
    return this.#newest.get(collection) ?? NOTHING
  }

  add(unit: Unit): void {
    this.#checkpoint = unit.checkpoint
    if (unit.changes.size === 0) return
    this.#units.push(unit)
    this.#size += sizeOf(unit)
    for (const [collection, changes] of unit.changes) {
      const newest = getOrInsert(this.#newest, collection, (): ChangesById => new Map())
      for (const [id, change] of changes) newest.set(id, change)
    }
  }

  /** Returns the oldest units, with about `about` changes. */
  next(about: number): Writing {
    const units: Unit[] = []
    let changes = 0
    for (const unit of this.#units) {
      if (changes >= about) break
      units.push(unit)
      changes += sizeOf(unit)
    }
    const isAll = units.length === this.#units.length
    return { units, rows: mergedRows(units), checkpoint: isAll ? this.#checkpoint : units.at(-1)!.checkpoint }
  }

  /** Removes these units: they were the oldest and are in the file. */
  landed({ units }: Writing): void {
    this.#units = this.#units.slice(units.length)
    for (const unit of units) {
      this.#size -= sizeOf(unit)
      this.#landed += sizeOf(unit)
      for (const [collection, changes] of unit.changes) {
        const newest = this.#newest.get(collection)!
        for (const [id, change] of changes) if (newest.get(id) === change) newest.delete(id)
        if (newest.size === 0) this.#newest.delete(collection)
      }
    }
  }
}

/** Yields the documents among some changes. */
export function* documentsIn(changes: PendingChanges): Generator<Document> {
  for (const { document } of changes.values()) if (document) yield document
}

const sizeOf = ({ changes }: Unit): number => {
  let size = 0
  for (const byId of changes.values()) size += byId.size
  return size
}

/** Merges the rows of several units: a document that changed several times is written once. */
const mergedRows = (units: readonly Unit[]): readonly CollectionRows[] => {
  if (units.length === 1) return units[0]!.rows
  const newest = new Map<string, Map<Row['id'], Row>>()
  for (const { collection, rows } of units.flatMap((unit) => unit.rows)) {
    const byId = getOrInsert(newest, collection, () => new Map())
    for (const row of rows) if (!(row.position < (byId.get(row.id)?.position ?? 0))) byId.set(row.id, row)
  }
  return [...newest].map(([collection, byId]) => ({ collection, rows: [...byId.values()] }))
}
