import type { Change, Document } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import type { Resource } from '../domain/resources/resource.ts'
import { createFolding, type FoldedDocuments, type FoldingDeps } from './folding.ts'

/** Folds one stream after the other into the documents that are derived from it alone. */
export interface StreamFolding {
  /** Folds the next event of a stream, from the first one on. @throws {Error} for an event that newer code has written, or whose key is lost */
  add(event: RecordedEvent): void
  /** Ends the stream. Returns its documents, each once and in its final state. */
  end(): readonly Change[]
}

/** Separates resources whose documents are derived from one stream each from those that must be folded in the order of the log. */
export const splitByStream = (resources: readonly Resource[]) => ({
  alone: resources.filter(({ documents }) => documents.joined === undefined),
  joined: resources.filter(({ documents }) => documents.joined !== undefined),
})

/** The documents of one stream. */
class StreamDocuments implements FoldedDocuments {
  #changes = new Map<string, Map<number | string, Change>>()

  get(collection: string, id: number): Document | undefined {
    return this.#changes.get(collection)?.get(id)?.document ?? undefined
  }

  put(collection: string, id: number | string, document: Document | null, position: number): void {
    getOrInsert(this.#changes, collection, () => new Map()).set(id, { collection, id, document, position })
  }

  /**
   * Returns the changes and begins anew. A document that was removed in the end is left out, because it was never stored. The map is replaced, since
   * one that is cleared keeps its former content in memory for as long as a former table of it lives.
   */
  take(): readonly Change[] {
    const all = [...this.#changes.values()].flatMap((changes) => [...changes.values()])
    this.#changes = new Map()
    return all.filter(({ document }) => document !== null)
  }
}

/**
 * Creates the folding of streams into the documents of these resources, none of which may have fields `joined` from other streams. The
 * result is the same as that of the projection in the order of the log. The vault must answer synchronously.
 */
export const createStreamFolding = (deps: FoldingDeps): StreamFolding => {
  const folding = createFolding(deps)
  const documents = new StreamDocuments()
  return {
    add(recorded) {
      const opened = folding.open(recorded)
      if (opened instanceof Promise) throw new Error('streams are folded where the keys are at hand')
      folding.fold(opened, documents)
    },
    end: () => documents.take(),
  }
}
