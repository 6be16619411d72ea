import type { Change, Document, ReadModels } from '../../../domain/kernel/ports/read-models.ts'

const keyOf = ({ collection, id }: Pick<Change, 'collection' | 'id'>): string => `${collection} ${typeof id} ${id}`

/**
 * Documents in memory, for tests of projections. Each document is guarded by its own position, which is what a store needs that cannot
 * write documents and checkpoint in one transaction. Removed documents leave their position behind.
 */
export class MemoryReadModels implements ReadModels {
  readonly #kept = new Map<string, Change>()
  #checkpoint = -1
  /** Documents written or removed since the start. */
  writes = 0

  get(collection: string, id: number | string): Document | undefined {
    return this.#kept.get(keyOf({ collection, id }))?.document ?? undefined
  }

  getMany(collection: string, ids: readonly (number | string)[]) {
    return ids.map((id) => this.get(collection, id))
  }

  /** Returns all documents in the order of their ids; projections use no other query. */
  find(collection: string): Document[] {
    return [...this.#kept.values()]
      .filter((kept) => kept.collection === collection)
      .flatMap(({ document }) => document ?? [])
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  count(collection: string): number {
    return this.find(collection).length
  }

  async apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    this.applyPartly(changes)
    this.#checkpoint = Math.max(this.#checkpoint, checkpoint)
  }

  /** Applies changes without moving the checkpoint, as a crash in the middle of a batch does. */
  applyPartly(changes: readonly Change[]): void {
    for (const change of changes) {
      const before = this.#kept.get(keyOf(change))
      if (before && before.position >= change.position) continue
      this.#kept.set(keyOf(change), change)
      this.writes++
    }
  }

  checkpoint(): number {
    return this.#checkpoint
  }
}
