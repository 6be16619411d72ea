import type { Change, Query, ReadModels, Where } from '../../domain/kernel/ports/read-models.ts'

/** Read models before the first rebuild: reads find nothing, and writes fail. */
const nothing: ReadModels = {
  get: () => undefined,
  getMany: (_collection, ids) => ids.map(() => undefined),
  find: () => [],
  count: () => 0,
  apply: () => Promise.reject(new Error('no read models were built yet: the first ones come from a rebuild')),
  checkpoint: () => -1,
}

/** Read models that always show the generation that took over last. */
export class LiveReadModels implements ReadModels {
  #current: ReadModels = nothing

  show(generation: ReadModels | undefined): void {
    this.#current = generation ?? nothing
  }

  get(collection: string, id: number | string) {
    return this.#current.get(collection, id)
  }

  getMany(collection: string, ids: readonly (number | string)[]) {
    return this.#current.getMany(collection, ids)
  }

  find(collection: string, query: Query) {
    return this.#current.find(collection, query)
  }

  count(collection: string, where: Where, atMost?: number) {
    return this.#current.count(collection, where, atMost)
  }

  apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    return this.#current.apply(changes, checkpoint)
  }

  checkpoint() {
    return this.#current.checkpoint()
  }
}
