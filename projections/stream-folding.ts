import type { Change, Document } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import type { Resource } from '../domain/resources/resource.ts'
import { createFolding, type FoldedDocuments, type FoldingDeps } from './folding.ts'

/** Folds one stream after the other into the documents that follow from it alone. */
export interface StreamFolding {
  /** Folds the next event of a stream, which begins with its first. @throws {Error} for one that newer code has written, or whose key is lost */
  add(event: RecordedEvent): void
  /** What the stream comes to: each document once, as it is in the end. */
  end(): readonly Change[]
}

/** Resources whose documents follow from one stream each, and those that have to be folded in the order of the log. */
export const byStreams = (resources: readonly Resource[]) => ({
  alone: resources.filter(({ documents }) => documents.joined === undefined),
  joined: resources.filter(({ documents }) => documents.joined !== undefined),
})

/** The documents of one stream. */
class StreamDocuments implements FoldedDocuments {
  readonly #changes = new Map<string, Map<number | string, Change>>()

  get(collection: string, id: number): Document | undefined {
    return this.#changes.get(collection)?.get(id)?.document ?? undefined
  }

  put(collection: string, id: number | string, document: Document | null, position: number): void {
    getOrInsert(this.#changes, collection, () => new Map()).set(id, { collection, id, document, position })
  }

  /** What is gone in the end was never there. */
  take(): readonly Change[] {
    const all = [...this.#changes.values()].flatMap((changes) => [...changes.values()])
    this.#changes.clear()
    return all.filter(({ document }) => document !== null)
  }
}

/**
 * The folding of streams into the documents of these resources, none of which has fields `joined` from other streams. It gives what the
 * projection in the order of the log gives. The vault must answer at once.
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
