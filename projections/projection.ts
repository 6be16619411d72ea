import { parseStream } from '../domain/kernel/decider.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { Change, Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import { valueAt } from '../domain/kernel/value-at.ts'
import { FORMER_KEYS, TOMBSTONES } from './collections.ts'
import { createFolding, type FoldedDocuments, type FoldingParts, type OpenedEvent } from './folding.ts'

/** Applies a batch of events, in order, and moves the checkpoint. Applying a batch again changes nothing. */
export type Projection = (batch: readonly RecordedEvent[], into: ReadModels) => Promise<void>

/** Documents of a batch while it is being folded: each is loaded once and written once. */
class Batch implements FoldedDocuments {
  readonly #into: ReadModels
  readonly #known = new Map<string, Map<number | string, Document | undefined>>()
  readonly #changes = new Map<string, Map<number | string, Change>>()

  constructor(into: ReadModels) {
    this.#into = into
  }

  /** Loads what an event is folded into. */
  async load({ event, own, joined }: OpenedEvent): Promise<void> {
    // The first event of a stream is folded into nothing.
    if (event.revision > 0) for (const { resource, id } of own) await this.#load(resource.name, id)
    for (const { resource, id } of joined) await this.#load(resource.name, id)
  }

  get(collection: string, id: number): Document | undefined {
    return this.#known.get(collection)?.get(id)
  }

  put(collection: string, id: number | string, document: Document | null, position: number): void {
    valueAt(this.#known, collection, () => new Map()).set(id, document ?? undefined)
    valueAt(this.#changes, collection, () => new Map()).set(id, { collection, id, document, position })
  }

  /** What documents leave behind comes first: a document that is written is not looked at again, whatever a crash cut off. */
  all(): readonly Change[] {
    const traces = [FORMER_KEYS, TOMBSTONES].flatMap((name) => [...(this.#changes.get(name)?.values() ?? [])])
    const rest = [...this.#changes].filter(([name]) => name !== FORMER_KEYS && name !== TOMBSTONES)
    return [...traces, ...rest.flatMap(([, changes]) => [...changes.values()])]
  }

  async #load(collection: string, id: number): Promise<void> {
    const known = valueAt(this.#known, collection, () => new Map())
    if (!known.has(id)) known.set(id, await this.#into.get(collection, id))
  }
}

/** The projection of all documents that are derived from one stream each: the generic one (design 6). */
export const createProjection = (parts: FoldingParts): Projection => {
  const folding = createFolding(parts)
  return async (events, into) => {
    const last = events.at(-1)
    if (!last) return
    const batch = new Batch(into)
    for (const recorded of events) {
      if (!folding.concerns(parseStream(recorded.stream).name)) continue
      const opening = folding.open(recorded)
      const opened = opening instanceof Promise ? await opening : opening
      await batch.load(opened)
      folding.fold(opened, batch)
    }
    await into.apply(batch.all(), last.position)
  }
}
