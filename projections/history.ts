import type { Upcaster } from '../domain/kernel/decide/upcast.ts'
import { openDocument, openEvent } from '../domain/kernel/model/personal.ts'
import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { Document, ReadModels } from '../domain/kernel/ports/read-models.ts'
import type { Vault } from '../domain/kernel/ports/vault.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import { parseStream, streamOf } from '../domain/kernel/values/stream-name.ts'
import type { Resource } from '../domain/resources/resource.ts'
import { FORMER_KEYS, formerKey, TOMBSTONES, tombstoneOf } from './collections.ts'
import { documentAfter, documentsTouched, joinedFrom } from './document.ts'

/** Point in the past: everything that had happened by a time, and of one stream possibly only up to a revision. */
export interface Moment {
  /** ISO 8601, inclusive. */
  readonly at: string
  readonly upTo?: { readonly stream: string; readonly revision: number }
}

/** Event of a record, with the document after it; `undefined`: the record ended. */
export interface RecordChange {
  readonly event: RecordedEvent
  readonly document: Document | undefined
}

/** Documents as they were at a point in the past, folded from the log. The person may have been erased since. */
export interface History {
  document(resource: Resource, id: number, moment: Moment): Promise<Document | undefined>
  /** Returns a present document as it was when the log ended at a position. Of the fields from other streams only the time of change is as it was. */
  before(resource: Resource, current: Document, position: number): Promise<Document | undefined>
  /** Returns a document that is gone as it was at last; `undefined` when there never was one. */
  lastOf(resource: Resource, id: number): Promise<Document | undefined>
  /** Returns the newest events of a record, at most so many and the oldest of them first, with the document after each. */
  changes(resource: Resource, id: number, most: number): Promise<readonly RecordChange[]>
  /** Documents whose looked-up `field` had this value, by ascending id. */
  where(resource: Resource, field: string, value: number | string, moment: Moment): Promise<Document[]>
}

interface HistoryDeps {
  readonly log: EventLog
  readonly live: ReadModels
  readonly vault: Vault
  readonly upcast: Upcaster
  readonly publicIds: PublicIds
}

/** Folds a document up to the first event that is too late. `last` is the document before it ended. */
const fold = async (
  { log, vault, upcast, publicIds }: HistoryDeps,
  resource: Resource,
  stream: string,
  id: number,
  isLater: (event: RecordedEvent) => boolean,
) => {
  let folded: Document | undefined
  let last: Document | undefined
  for await (const recorded of log.readStream(stream)) {
    if (isLater(recorded)) break
    const event = upcast(await openEvent(vault, recorded))
    if (!documentsTouched(resource, event).includes(id)) continue
    folded = documentAfter(resource, folded, event, id, publicIds)
    last = folded ?? last
  }
  return { document: folded, last }
}

const changesIn = async (
  { log, vault, upcast, publicIds }: HistoryDeps,
  resource: Resource,
  stream: string,
  id: number,
  most: number,
): Promise<readonly RecordChange[]> => {
  const changes: RecordChange[] = []
  let document: Document | undefined
  for await (const recorded of log.readStream(stream)) {
    const event = upcast(await openEvent(vault, recorded))
    if (!documentsTouched(resource, event).includes(id)) continue
    document = documentAfter(resource, document, event, id, publicIds)
    changes.push({ event, document })
    if (changes.length > most) changes.shift()
  }
  return changes
}

/** Returns the last time of change, up to a position, that events of another aggregate's stream have set in a document. */
const joinedTime = async (
  { log, vault, upcast }: HistoryDeps,
  { documents: { joined = [] } }: Resource,
  id: number,
  stream: string,
  position: number,
): Promise<string | undefined> => {
  const joins = joined.filter(({ aggregate }) => aggregate === parseStream(stream).name)
  for await (const recorded of log.readStream(stream, { backwards: true })) {
    if (recorded.position > position) continue
    const event = upcast(await openEvent(vault, recorded))
    const set = joins.flatMap(({ fields }) => fields(event)).find((one) => one.id === id)?.set
    if (typeof set?.updated_at === 'string') return set.updated_at
  }
  return undefined
}

/** Returns a present document as its own stream had it at a position. */
const ownBefore = async (deps: HistoryDeps, resource: Resource, current: Document, position: number) => {
  const id = Number(current.id)
  const stream = streamOf(resource.aggregate, resource.documents.aggregateId?.(current) ?? id)
  for await (const newest of deps.log.readStream(stream, { from: Number(current.rev), limit: 1 }))
    if (newest.position <= position) return { ...current, updated_at: newest.metadata.at }
  return (await fold(deps, resource, stream, id, (event) => event.position > position)).document
}

const before = async (
  deps: HistoryDeps,
  resource: Resource,
  current: Document,
  position: number,
): Promise<Document | undefined> => {
  const own = await ownBefore(deps, resource, current, position)
  const streams = joinedFrom(current)
  if (!own || streams.length === 0) return own
  const id = Number(current.id)
  const times = await Promise.all(streams.map((stream) => joinedTime(deps, resource, id, stream, position)))
  const latest = [String(own.updated_at), ...times.filter((time) => time !== undefined)].sort().at(-1)!
  return { ...own, updated_at: latest }
}

export const createHistory = (deps: HistoryDeps): History => {
  const { live, vault } = deps
  const aggregateIdOf = async (resource: Resource, id: number): Promise<number | undefined> => {
    const { aggregateId } = resource.documents
    if (!aggregateId) return id
    const current = await live.get(resource.name, id)
    if (current) return aggregateId(current)
    const tombstone = await live.get(TOMBSTONES, tombstoneOf(resource.name, id))
    return tombstone && Number(tombstone.aggregate_id)
  }

  const document: History['document'] = async (resource, id, { at, upTo }) => {
    const aggregateId = await aggregateIdOf(resource, id)
    if (aggregateId === undefined) return undefined
    const stream = streamOf(resource.aggregate, aggregateId)
    // Concurrent requests may be recorded in another order than that of their times. Where a revision is given, it alone decides.
    const isLater = (event: RecordedEvent): boolean =>
      upTo?.stream === stream ? event.revision > upTo.revision : event.metadata.at > at
    if (upTo?.stream === stream) {
      const current = await live.get(resource.name, id)
      // The live document is the result of folding when its newest event is the last one wanted.
      if (current?.rev === upTo.revision) return openDocument(vault, current)
    }
    return (await fold(deps, resource, stream, id, isLater)).document
  }

  return {
    document,
    before: (resource, current, position) => before(deps, resource, current, position),
    async lastOf(resource, id) {
      const aggregateId = await aggregateIdOf(resource, id)
      if (aggregateId === undefined) return undefined
      return (await fold(deps, resource, streamOf(resource.aggregate, aggregateId), id, () => false)).last
    },
    async changes(resource, id, most) {
      const aggregateId = await aggregateIdOf(resource, id)
      if (aggregateId === undefined) return []
      return changesIn(deps, resource, streamOf(resource.aggregate, aggregateId), id, most)
    },
    async where(resource, field, value, moment) {
      const now = await live.find(resource.name, { where: { [field]: value } })
      const before = await live.find(FORMER_KEYS, { where: { key: formerKey(resource.name, field, value) } })
      const ids = new Set([...now.map(({ id }) => Number(id)), ...before.map(({ entity }) => Number(entity))])
      const documents = await Promise.all([...ids].sort((a, b) => a - b).map((id) => document(resource, id, moment)))
      return documents.filter((found) => found !== undefined).filter((found) => found[field] === value)
    },
  }
}
