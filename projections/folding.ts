import type { Upcaster } from '../domain/kernel/decide/upcast.ts'
import { openEvent, PERSONAL, personOf, sealEvent } from '../domain/kernel/model/personal.ts'
import type { Document } from '../domain/kernel/ports/read-models.ts'
import type { Vault } from '../domain/kernel/ports/vault.ts'
import type { Json, JsonObject, RecordedEvent } from '../domain/kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import { parseStream } from '../domain/kernel/values/stream-name.ts'
import type { Joined, Resource } from '../domain/resources/resource.ts'
import { FORMER_KEYS, formerKey, lookupFields, TOMBSTONES, tombstoneOf } from './collections.ts'
import { documentAfter, documentsTouched } from './document.ts'

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

/** Returns a document with fields from another stream. Its time of change never moves back, also when an event is delivered again. */
const withJoined = (before: Document, set: JsonObject): Document => {
  const isOlder = set.updated_at !== undefined && String(before.updated_at) > String(set.updated_at)
  return { ...before, ...set, ...(isOlder && { updated_at: before.updated_at ?? null }) }
}

/** Creates the folding for these resources. */
export const createFolding = ({ resources, vault, upcast, publicIds, unfit = [] }: FoldingDeps): Folding => {
  const byAggregate = new Map<string, Resource[]>()
  for (const resource of resources) {
    byAggregate.set(resource.aggregate.name, [...(byAggregate.get(resource.aggregate.name) ?? []), resource])
  }
  const lookups = new Map(resources.map((resource) => [resource, lookupFields(resource)]))
  const joinedTo = new Map<string, { readonly resource: Resource; readonly join: Joined }[]>()
  for (const resource of resources) {
    for (const join of resource.documents.joined ?? []) {
      joinedTo.set(join.aggregate, [...(joinedTo.get(join.aggregate) ?? []), { resource, join }])
    }
  }

  const recordDeparture = (
    documents: FoldedDocuments,
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
      documents.put(FORMER_KEYS, `${key}:${id}`, { id: `${key}:${id}`, key, entity: id }, position)
    }
    if (!after && resource.documents.aggregateId) {
      const key = tombstoneOf(resource.name, id)
      documents.put(TOMBSTONES, key, { id: key, aggregate_id: parseStream(stream).id }, position)
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

  const foldOwn = ({ resource, id }: Touched, { event, sealed }: OpenedEvent, documents: FoldedDocuments) => {
    const before = event.revision === 0 ? undefined : documents.get(resource.name, id)
    // The event was delivered before, so the document holds it already.
    if (before && event.revision <= Number(before.rev)) return
    const after = foldOnto(resource, before, event, id)
    if (after === before) return
    if (before) recordDeparture(documents, resource, before, after, event)
    const document = after ? sealDocument(resource, vault, after, sealed) : null
    if (document || before) documents.put(resource.name, id, document, event.position)
  }

  const touched = (event: RecordedEvent, aggregate: string): Pick<OpenedEvent, 'own' | 'joined'> => ({
    own: (byAggregate.get(aggregate) ?? []).flatMap((resource) =>
      documentsTouched(resource, event).map((id) => ({ resource, id })),
    ),
    joined: (joinedTo.get(aggregate) ?? []).flatMap(({ resource, join }) =>
      join.fields(event).map(({ id, set }) => ({ resource, id, set })),
    ),
  })

  const opened = (recorded: RecordedEvent, inClear: RecordedEvent): MaybePromise<OpenedEvent> => {
    const event = upcast(inClear)
    const all = touched(event, parseStream(event.stream).name)
    if (event.data[PERSONAL] === inClear.data[PERSONAL]) return { event, sealed: recorded.data[PERSONAL], ...all }
    const sealing = sealEvent(vault, personOf(event), event)
    return mapMaybe(sealing, ({ data }) => ({ event, sealed: data[PERSONAL], ...all }))
  }

  return {
    concerns: (aggregate) => byAggregate.has(aggregate) || joinedTo.has(aggregate),
    open: (recorded) => mapMaybe(openEvent(vault, recorded), (event) => opened(recorded, event)),
    fold(opened, documents) {
      for (const each of opened.own) foldOwn(each, opened, documents)
      for (const { resource, id, set } of opened.joined) {
        const before = documents.get(resource.name, id)
        if (before) documents.put(resource.name, id, withJoined(before, set), opened.event.position)
      }
    },
  }
}
