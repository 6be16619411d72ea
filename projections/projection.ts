import { parseStream } from '../domain/kernel/decider.ts'
import type { Json, RecordedEvent } from '../domain/kernel/event.ts'
import { openEvent, PERSONAL, personOf, sealEvent } from '../domain/kernel/personal.ts'
import type { Change, Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import type { Vault } from '../domain/kernel/ports/vault.ts'
import type { PublicIds } from '../domain/kernel/public-ids.ts'
import type { Upcaster } from '../domain/kernel/upcast.ts'
import type { Joined, Resource } from '../domain/kinds/resource.ts'
import { FORMER_KEYS, lookupFields, TOMBSTONES, tombstoneOf } from './collections.ts'
import { documentAfter, documentsTouched } from './document.ts'

export interface ProjectionParts {
  readonly resources: readonly Resource[]
  readonly vault: Vault
  readonly upcast: Upcaster
  readonly publicIds: PublicIds
  /** Collections with documents of another version, which are being built anew: one that cannot be folded on stays as it is until then. */
  readonly unfit?: readonly string[]
}

/** Applies a batch of events, in order, and moves the checkpoint. Applying a batch again changes nothing. */
export type Projection = (batch: readonly RecordedEvent[], into: ReadModels) => Promise<void>

/** Documents of a batch while it is being folded: each is loaded once and written once. */
class Batch {
  readonly #into: ReadModels
  readonly #changes = new Map<string, Map<number | string, Change>>()

  constructor(into: ReadModels) {
    this.#into = into
  }

  async document(collection: string, id: number): Promise<Document | undefined> {
    const changed = this.#changes.get(collection)?.get(id)
    return changed ? (changed.document ?? undefined) : await this.#into.get(collection, id)
  }

  put(collection: string, id: number | string, document: Document | null, position: number): void {
    const changes = this.#changes.get(collection) ?? new Map<number | string, Change>()
    this.#changes.set(collection, changes)
    changes.set(id, { collection, id, document, position })
  }

  /** What documents leave behind comes first: a document that is written is not looked at again, whatever a crash cut off. */
  all(): readonly Change[] {
    const traces = [FORMER_KEYS, TOMBSTONES].flatMap((name) => [...(this.#changes.get(name)?.values() ?? [])])
    const rest = [...this.#changes].filter(([name]) => name !== FORMER_KEYS && name !== TOMBSTONES)
    return [...traces, ...rest.flatMap(([, changes]) => [...changes.values()])]
  }
}

/** Seals what is personal in a document that nobody else has yet, with digests by which it can be found. */
const sealDocument = (resource: Resource, vault: Vault, document: Document, sealed: Json | undefined): Document => {
  const personal = document[PERSONAL]
  if (typeof personal !== 'object' || personal === undefined) return document
  const digests =
    resource.documents.digests?.(personal as Parameters<NonNullable<Resource['documents']['digests']>>[0]) ?? {}
  const kept: Document & Record<string, Json | undefined> = document
  kept[PERSONAL] = personal === null ? null : sealed
  for (const [field, digest] of Object.entries(digests))
    kept[field] = digest && vault.token(digest.purpose, digest.value)
  return kept
}

/** The projection of all documents that are derived from one stream each: the generic one (design 6). */
export const createProjection = (parts: ProjectionParts): Projection => {
  const { resources, vault, upcast, publicIds, unfit = [] } = parts
  const byAggregate = new Map<string, Resource[]>()
  for (const resource of resources) {
    byAggregate.set(resource.aggregate.name, [...(byAggregate.get(resource.aggregate.name) ?? []), resource])
  }
  const lookups = new Map(resources.map((resource) => [resource, lookupFields(resource)]))
  const joined = new Map<string, { readonly resource: Resource; readonly join: Joined }[]>()
  for (const resource of resources) {
    for (const join of resource.documents.joined ?? []) {
      joined.set(join.aggregate, [...(joined.get(join.aggregate) ?? []), { resource, join }])
    }
  }

  const leave = (
    batch: Batch,
    resource: Resource,
    before: Document,
    after: Document | undefined,
    { position, stream }: RecordedEvent,
  ) => {
    const id = Number(before.id)
    for (const field of lookups.get(resource) ?? []) {
      const value = before[field]
      if (value === after?.[field] || (typeof value !== 'string' && typeof value !== 'number')) continue
      const key = formerKey(resource.name, field, value)
      batch.put(FORMER_KEYS, `${key}:${id}`, { id: `${key}:${id}`, key, entity: id }, position)
    }
    if (!after && resource.documents.aggregateId) {
      const key = tombstoneOf(resource.name, id)
      batch.put(TOMBSTONES, key, { id: key, aggregate_id: parseStream(stream).id }, position)
    }
  }

  const foldOnto = (resource: Resource, before: Document | undefined, event: RecordedEvent, id: number) => {
    try {
      return documentAfter(resource, before, event, id, publicIds)
    } catch (error) {
      if (unfit.includes(resource.name)) return before
      throw error
    }
  }

  const fold = async (batch: Batch, resource: Resource, event: RecordedEvent, sealed: Json | undefined) => {
    const isFirst = event.revision === 0
    for (const id of documentsTouched(resource, event)) {
      const before = isFirst ? undefined : await batch.document(resource.name, id)
      // Delivered before: what is in the document already must not be folded into it again.
      if (before && event.revision <= Number(before.rev)) continue
      const after = foldOnto(resource, before, event, id)
      if (after === before) continue
      if (before) leave(batch, resource, before, after, event)
      const document = after ? sealDocument(resource, vault, after, sealed) : null
      if (document || before) batch.put(resource.name, id, document, event.position)
    }
  }

  const foldJoined = async (batch: Batch, event: RecordedEvent) => {
    for (const { resource, join } of joined.get(parseStream(event.stream).name) ?? []) {
      for (const { id, set } of join.fields(event)) {
        const before = await batch.document(resource.name, id)
        if (before) batch.put(resource.name, id, { ...before, ...set }, event.position)
      }
    }
  }

  return async (events, into) => {
    const last = events.at(-1)
    if (!last) return
    const batch = new Batch(into)
    for (const recorded of events) {
      const { name } = parseStream(recorded.stream)
      const touched = byAggregate.get(name) ?? []
      if (touched.length === 0 && !joined.has(name)) continue
      const opening = openEvent(vault, recorded)
      const opened = opening instanceof Promise ? await opening : opening
      const event = upcast(opened)
      const sealed =
        event.data[PERSONAL] === opened.data[PERSONAL] ? recorded : await sealEvent(vault, personOf(event), event)
      for (const resource of touched) await fold(batch, resource, event, sealed.data[PERSONAL])
      await foldJoined(batch, event)
    }
    await into.apply(batch.all(), last.position)
  }
}

/** Key under which departures from a value of a looked-up field are kept. */
export const formerKey = (resource: string, field: string, value: string | number): string =>
  `${resource}:${field}:${value}`
