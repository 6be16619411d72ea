import type { Change, Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import { parseStream } from '../domain/kernel/values/stream-name.ts'
import type { Tally } from '../domain/resources/tally.ts'
import { FORMER_KEYS, TOMBSTONES } from './collections.ts'
import { createFolding, type FoldedDocuments, type FoldingDeps, type OpenedEvent } from './folding.ts'
import { createTallying, type TalliedDocuments } from './tallying.ts'

/** Applies a batch of events, in order, and moves the checkpoint. Applying a batch again changes nothing. */
export type Projection = (batch: readonly RecordedEvent[], into: ReadModels) => Promise<void>

/** Number of events that are opened, and whose documents are loaded, at once. */
const OPENED_AT_ONCE = 500

/** Documents of a batch while it is being folded: each is loaded once and written once. */
class Batch implements FoldedDocuments, TalliedDocuments {
  readonly #into: ReadModels
  readonly #known = new Map<string, Map<number | string, Document | undefined>>()
  readonly #changes = new Map<string, Map<number | string, Change>>()

  constructor(into: ReadModels) {
    this.#into = into
  }

  /** Loads the documents that events are folded into, each collection in one query. */
  async load(events: readonly OpenedEvent[]): Promise<void> {
    const missing = new Map<string, Set<number | string>>()
    const created = new Set<string>()
    const addMissing = (name: string, id: number) => {
      if (this.#known.get(name)?.has(id) || created.has(`${name} ${id}`)) return
      getOrInsert(missing, name, () => new Set<number | string>()).add(id)
    }
    for (const { event, own, joined } of events) {
      // The first event of a stream has no document to be folded into.
      for (const { resource, id } of own)
        if (event.revision === 0) created.add(`${resource.name} ${id}`)
        else addMissing(resource.name, id)
      for (const { resource, id } of joined) addMissing(resource.name, id)
    }
    await this.loadAll(missing)
  }

  async loadAll(wanted: ReadonlyMap<string, ReadonlySet<number | string>>): Promise<void> {
    const loading = [...wanted].flatMap(([name, ids]) => {
      const known = this.#known.get(name)
      const unknown = known ? [...ids].filter((id) => !known.has(id)) : [...ids]
      return unknown.length > 0 ? this.#load(name, unknown) : []
    })
    if (loading.length > 0) await Promise.all(loading)
  }

  get(collection: string, id: number | string): Document | undefined {
    return this.#known.get(collection)?.get(id)
  }

  put(collection: string, id: number | string, document: Document | null, position: number): void {
    const known = getOrInsert(this.#known, collection, () => new Map())
    const changes = getOrInsert(this.#changes, collection, () => new Map())
    const isNew = changes.get(id)?.isNew ?? known.get(id) === undefined
    known.set(id, document ?? undefined)
    changes.set(id, { collection, id, document, isNew, position })
  }

  /** Returns all changes, former keys and tombstones first: after a crash, a document that was written is not folded again and would not write them. */
  all(): readonly Change[] {
    const traces = [FORMER_KEYS, TOMBSTONES].flatMap((name) => [...(this.#changes.get(name)?.values() ?? [])])
    const rest = [...this.#changes].filter(([name]) => name !== FORMER_KEYS && name !== TOMBSTONES)
    return [...traces, ...rest.flatMap(([, changes]) => [...changes.values()])]
  }

  /** Returns the collections that were looked at or written. */
  touched(): readonly string[] {
    return [...this.#known.keys()]
  }

  async #load(collection: string, ids: readonly (number | string)[]): Promise<void> {
    const known = getOrInsert(this.#known, collection, () => new Map())
    const [id] = ids
    if (id !== undefined && ids.length === 1) known.set(id, await this.#into.get(collection, id))
    else
      for (const [index, found] of (await this.#into.getMany(collection, ids)).entries()) known.set(ids[index]!, found)
  }
}

/** Creates the generic projection, which writes the documents of resources and tallies. */
export const createProjection = (deps: FoldingDeps & { readonly tallies?: readonly Tally[] }): Projection => {
  const folding = createFolding(deps)
  const tallying = createTallying(deps.tallies ?? [])
  const concerns = (aggregate: string) => folding.concerns(aggregate) || tallying.concerns(aggregate)
  return async (events, into) => {
    const last = events.at(-1)
    if (!last) return
    const batch = new Batch(into)
    const concerned = events.filter(({ stream }) => concerns(parseStream(stream).name))
    for (let from = 0; from < concerned.length; from += OPENED_AT_ONCE) {
      const opening = concerned.slice(from, from + OPENED_AT_ONCE).map((recorded) => folding.open(recorded))
      const opened = await Promise.all(opening)
      await batch.load(opened)
      for (const one of opened) folding.fold(one, batch)
      await tallying.add(
        opened.map(({ event }) => event),
        batch,
      )
    }
    await into.apply(batch.all(), last.position, batch.touched())
  }
}
