import { LRUCache } from 'lru-cache'
import type { Document, Place, Query, ReadModels, Where } from '../domain/kernel/ports/read-models.ts'
import type { Json } from '../domain/kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import type { Resource } from '../domain/resources/resource.ts'
import type { History } from './history.ts'

/** Beginning of a walk through a list. */
export interface WalkStart {
  /** Position in the log that the documents had reached. */
  readonly position: number
  /** Time before which no record has changed last that changed after the beginning; milliseconds since 1970. */
  readonly since: number
}

/** Document with its place in the order of a walk. */
export interface Placed {
  readonly document: Document
  readonly place: Place
}

/** Query in an order by a field whose values may change. */
export type OrderedQuery = Pick<Query, 'where'> & {
  readonly sort: { readonly by: string; readonly descending: boolean }
  readonly after?: Place
  readonly limit: number
}

/**
 * Walks through lists whose order changes meanwhile. A walk keeps the order that the list had at its beginning: a record that has changed since
 * stands where it stood then, and one that was created since is left out. So each record that is there all the time is met exactly once.
 */
export interface Walks {
  start(now: number): MaybePromise<WalkStart>
  /** Whether records of the list may have changed since the beginning. A page that was read before asking is that of the walk if none has. */
  isDisturbed(resource: Resource, where: Where, start: WalkStart): Promise<boolean>
  /** Returns the next documents of a walk; without a start those that follow in the present order. */
  next(resource: Resource, query: OrderedQuery, start: WalkStart | undefined): Promise<Stretch>
}

/** Next documents of a walk. */
export interface Stretch {
  readonly found: readonly Placed[]
  /** The beginning, as long as the walk can keep to its order. */
  readonly start: WalkStart | undefined
}

/**
 * Lag of the time of a change: commands of the background have the time of their cause, and the clocks of several machines differ. What changed in
 * this time before the beginning counts as possibly changed since, which its events then decide.
 */
const LAG_MS = 30_000

/** Highest number of possibly changed records whose former places are looked up. With more, a walk goes on in the present order. */
const MOST_MOVED = 500
const TOGETHER = 16
/** Number of former places that are remembered. */
const MOST_PLACES = 20_000

const rank = (value: Json | undefined): number =>
  ['object', 'number', 'string', 'boolean'].indexOf(typeof (value ?? null))

const compareValues = (a: Json | undefined, b: Json | undefined): number => {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a === 'string' && typeof b === 'string')
    return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a ?? 0) - Number(b ?? 0)
}

/** Compares places in the order of the read models. */
const comparePlaces = (a: Place, b: Place): number => compareValues(a.value, b.value) || compareValues(a.id, b.id)

/** Returns the place of a document in the order by a field. */
export const placeOf = (document: Document, by: string): Place => ({ id: document.id, value: document[by] ?? null })

const isoOf = (time: number): string => new Date(time).toISOString()

interface WalkDeps {
  readonly live: ReadModels
  readonly history: Pick<History, 'before'>
  /** Highest number of changed records whose former places are looked up; default 500. */
  readonly mostMoved?: number
}

/** Creates the walks over the live read models. They take the former places of records from the log. */
export const createWalks = ({ live, history, mostMoved = MOST_MOVED }: WalkDeps): Walks => {
  /** Former places by collection, id, order and position. They never change. */
  const known = new LRUCache<string, Place | 'none'>({ max: MOST_PLACES })

  const changedSince = async (resource: Resource, where: Where, { since }: WalkStart, limit: number) =>
    live.find(resource.name, {
      where: { ...where, updated_at: { $gte: isoOf(since) } },
      sort: { by: 'updated_at' },
      limit,
    })

  const formerPlace = async (resource: Resource, document: Document, by: string, position: number) => {
    const key = `${resource.name} ${document.id} ${by} ${position}`
    const before = known.get(key)
    if (before !== undefined) return before
    const former = await history.before(resource, document, position)
    const place = former ? placeOf(former, by) : 'none'
    known.set(key, place)
    return place
  }

  const withFormerPlaces = async (resource: Resource, documents: readonly Document[], by: string, position: number) => {
    const placed: Placed[] = []
    for (let from = 0; from < documents.length; from += TOGETHER) {
      const some = documents.slice(from, from + TOGETHER)
      const places = await Promise.all(some.map((document) => formerPlace(resource, document, by, position)))
      for (const [n, place] of places.entries()) if (place !== 'none') placed.push({ document: some[n]!, place })
    }
    return placed
  }

  return {
    start: (now) => {
      const since = now - LAG_MS
      const position = live.checkpoint()
      return mapMaybe(position, (reached) => ({ position: Math.max(reached, 0), since }))
    },
    isDisturbed: async (resource, where, start) => (await changedSince(resource, where, start, 1)).length > 0,
    async next(resource, query, start) {
      const { where, sort, after, limit } = query
      const present = (documents: readonly Document[]): Placed[] =>
        documents.map((document) => ({ document, place: placeOf(document, sort.by) }))
      const inPresentOrder = async (): Promise<Stretch> => ({
        found: present(await live.find(resource.name, query)),
        start: undefined,
      })
      if (!start) return inPresentOrder()
      // In this order: what changes between the two queries is found by both.
      const before = { $lt: isoOf(start.since) }
      const unmoved = await live.find(resource.name, { ...query, where: { ...where, updated_at: before } })
      const changed = await changedSince(resource, where, start, mostMoved + 1)
      if (changed.length > mostMoved) return inPresentOrder()
      if (changed.length === 0) return { found: present(unmoved), start }
      const direction = sort.descending ? -1 : 1
      const ids = new Set(unmoved.map(({ id }) => id))
      const others = changed.filter(({ id }) => !ids.has(id))
      const moved = await withFormerPlaces(resource, others, sort.by, start.position)
      const ahead = moved.filter(({ place }) => !after || comparePlaces(place, after) * direction > 0)
      const all = [...present(unmoved), ...ahead].sort((a, b) => comparePlaces(a.place, b.place) * direction)
      return { found: all.slice(0, limit), start }
    },
  }
}
