import type { Change, Document, Query, ReadModels, Where } from '../../../domain/kernel/ports/read-models.ts'
import { naiveFind } from '../../infra/read-models/naive.ts'

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

  find(collection: string, query: Query = { where: {} }): Document[] {
    const kept = [...this.#kept.values()].filter((change) => change.collection === collection)
    return naiveFind(
      kept.flatMap(({ document }) => document ?? []),
      query,
    )
  }

  count(collection: string, where: Where = {}): number {
    return this.find(collection, { where }).length
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
