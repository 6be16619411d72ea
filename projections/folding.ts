import type { Upcaster } from '../domain/kernel/decide/upcast.ts'
import { openEvent, PERSONAL, personOf, sealEvent } from '../domain/kernel/model/personal.ts'
import type { Document } from '../domain/kernel/ports/read-models.ts'
import type { Vault } from '../domain/kernel/ports/vault.ts'
import type { Json, JsonObject, RecordedEvent } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import { parseStream } from '../domain/kernel/values/stream-name.ts'
import type { Joined, Resource } from '../domain/resources/resource.ts'
import { FORMER_KEYS, formerKey, lookupFields, TOMBSTONES, tombstoneOf } from './collections.ts'
import { documentAfter, documentsTouched, joinedFrom } from './document.ts'

export interface FoldingDeps {
  readonly resources: readonly Resource[]
  readonly vault: Vault
  readonly upcast: Upcaster
  readonly publicIds: PublicIds
  /** Collections that another version built and that are being rebuilt. A document that cannot be folded further stays as it is until then. */
  readonly unfit?: readonly string[]
}

/** Documents while events are folded into them. */
export interface FoldedDocuments {
  get(collection: string, id: number): Document | undefined
  /** Writes a document; `null` removes it. */
  put(collection: string, id: number | string, document: Document | null, position: number): void
}

/** Event that is ready for folding. */
export interface OpenedEvent {
  /** The event in its present version, with personal data in the clear. */
  readonly event: RecordedEvent
  /** Its personal data, sealed as documents store it. */
  readonly sealed: Json | undefined
  /** Documents derived from its stream. */
  readonly own: readonly Touched[]
  /** Documents of other streams in which it sets fields. */
  readonly joined: readonly (Touched & { readonly set: JsonObject })[]
}

interface Touched {
  readonly resource: Resource
  readonly id: number
}

/** Folds events into the documents of some resources, independent of the source of the events and the store of the documents. */
export interface Folding {
  /** Whether events of this aggregate's streams concern any of the documents. */
  concerns(aggregate: string): boolean
  /** Upcasts an event and opens its personal data. @throws {Error} for an event that newer code has written, or whose key is lost */
  open(recorded: RecordedEvent): MaybePromise<OpenedEvent>
  /** Folds an event into the documents that it touches, and writes their tombstones and former keys. */
  fold(opened: OpenedEvent, documents: FoldedDocuments): void
}

/** Seals the personal data of a document in place and adds digests by which it can be found. The document must not be shared yet. */
const sealDocument = (resource: Resource, vault: Vault, document: Document, sealed: Json | undefined): Document => {
  const personal = document[PERSONAL]
  if (typeof personal !== 'object' || personal === undefined) return document
  const digests =
    resource.documents.digests?.(personal as Parameters<NonNullable<Resource['documents']['digests']>>[0]) ?? {}
  const writable: Document & Record<string, Json | undefined> = document
  writable[PERSONAL] = personal === null ? null : sealed
  for (const [field, digest] of Object.entries(digests))
    writable[field] = digest && vault.token(digest.purpose, digest.value)
  return writable
}

/**
 * Returns a document with fields from another stream. Its time of change never moves back, also when an event is delivered again. The document
 * names the streams that have set that time, so that earlier times are found there.
 */
const withJoined = (before: Document, set: JsonObject, stream: string): Document => {
  if (set.updated_at === undefined) return { ...before, ...set }
  const isOlder = String(before.updated_at) > String(set.updated_at)
  const streams = joinedFrom(before)
  return {
    ...before,
    ...set,
    ...(isOlder && { updated_at: before.updated_at ?? null }),
    joined_from: streams.includes(stream) ? streams : [...streams, stream],
  }
}

/** Creates the folding for these resources. */
export const createFolding = (deps: FoldingDeps): Folding => new ResourceFolding(deps)

class ResourceFolding implements Folding {
  readonly #vault: Vault
  readonly #upcast: Upcaster
  readonly #publicIds: PublicIds
  readonly #unfit: readonly string[]
  /** Resources whose documents are derived from the streams of an aggregate, by its name. */
  readonly #own = new Map<string, Resource[]>()
  /** Resources in whose documents the events of another aggregate set fields, by its name. */
  readonly #joined = new Map<string, { readonly resource: Resource; readonly join: Joined }[]>()
  /** Fields by which documents are looked up. */
  readonly #lookupFields = new Map<Resource, readonly string[]>()

  constructor({ resources, vault, upcast, publicIds, unfit = [] }: FoldingDeps) {
    this.#vault = vault
    this.#upcast = upcast
    this.#publicIds = publicIds
    this.#unfit = unfit
    for (const resource of resources) {
      getOrInsert(this.#own, resource.aggregate.name, () => []).push(resource)
      for (const join of resource.documents.joined ?? [])
        getOrInsert(this.#joined, join.aggregate, () => []).push({ resource, join })
      this.#lookupFields.set(resource, lookupFields(resource))
    }
  }

  concerns(aggregate: string): boolean {
    return this.#own.has(aggregate) || this.#joined.has(aggregate)
  }

  open(recorded: RecordedEvent): MaybePromise<OpenedEvent> {
    return mapMaybe(openEvent(this.#vault, recorded), (inClear) => this.#upcastOpened(recorded, inClear))
  }

  fold(opened: OpenedEvent, documents: FoldedDocuments): void {
    for (const each of opened.own) this.#foldOwn(each, opened, documents)
    for (const { resource, id, set } of opened.joined) {
      const before = documents.get(resource.name, id)
      if (before) documents.put(resource.name, id, withJoined(before, set, opened.event.stream), opened.event.position)
    }
  }

  /** Upcasts an event. If that changes its personal data, seals it again. */
  #upcastOpened(recorded: RecordedEvent, inClear: RecordedEvent): MaybePromise<OpenedEvent> {
    const event = this.#upcast(inClear)
    const touched = this.#touched(event, parseStream(event.stream).name)
    if (event.data[PERSONAL] === inClear.data[PERSONAL]) return { event, sealed: recorded.data[PERSONAL], ...touched }
    const sealing = sealEvent(this.#vault, personOf(event), event)
    return mapMaybe(sealing, ({ data }) => ({ event, sealed: data[PERSONAL], ...touched }))
  }

  /** Returns the documents that an event touches. */
  #touched(event: RecordedEvent, aggregate: string): Pick<OpenedEvent, 'own' | 'joined'> {
    const own: Touched[] = []
    for (const resource of this.#own.get(aggregate) ?? [])
      for (const id of documentsTouched(resource, event)) own.push({ resource, id })
    const joined: (Touched & { readonly set: JsonObject })[] = []
    for (const { resource, join } of this.#joined.get(aggregate) ?? [])
      for (const { id, set } of join.fields(event)) joined.push({ resource, id, set })
    return { own, joined }
  }

  #foldOwn({ resource, id }: Touched, { event, sealed }: OpenedEvent, documents: FoldedDocuments): void {
    const before = event.revision === 0 ? undefined : documents.get(resource.name, id)
    // The event was delivered before, so the document holds it already.
    if (before && event.revision <= Number(before.rev)) return
    const after = this.#documentAfter(resource, before, event, id)
    if (after === before) return
    if (before) this.#recordDeparture(documents, resource, before, after, event)
    const document = after ? sealDocument(resource, this.#vault, after, sealed) : null
    if (document || before) documents.put(resource.name, id, document, event.position)
  }

  /** Returns the document after an event. While its collection waits for a rebuild, a document that cannot be folded further stays as it is. */
  #documentAfter(resource: Resource, before: Document | undefined, event: RecordedEvent, id: number) {
    try {
      return documentAfter(resource, before, event, id, this.#publicIds)
    } catch (error) {
      if (this.#unfit.includes(resource.name)) return before
      throw error
    }
  }

  /** Writes former keys for the values by which a document is no longer found, and a tombstone if a child was removed. */
  #recordDeparture(
    documents: FoldedDocuments,
    resource: Resource,
    before: Document,
    after: Document | undefined,
    { position, stream }: RecordedEvent,
  ): void {
    const id = Number(before.id)
    for (const field of this.#lookupFields.get(resource) ?? []) {
      const value = before[field]
      if (value === after?.[field] || (typeof value !== 'string' && typeof value !== 'number')) continue
      const key = formerKey(resource.name, field, value)
      documents.put(FORMER_KEYS, `${key}:${id}`, { id: `${key}:${id}`, key, entity: id }, position)
    }
    if (!after && resource.documents.aggregateId) {
      const key = tombstoneOf(resource.name, id)
      documents.put(TOMBSTONES, key, { id: key, aggregate_id: parseStream(stream).id }, position)
    }
  }
}
