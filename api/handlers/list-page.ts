import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { Place, Where } from '../../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { nextTurn, timeSlices } from '../../domain/kernel/values/turns.ts'
import type { ListOperation, Selection } from '../../domain/resources/operation.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { completed, findSelected, goesThrough } from '../../domain/resources/selected.ts'
import type { Page } from '../../projections/fragments.ts'
import type { PageForm } from '../../projections/response-cache.ts'
import { type OrderedQuery, type Placed, placeOf, type Stretch, type WalkStart } from '../../projections/walks.ts'
import { packCursor } from '../cursor.ts'
import { isWithin, type Listing, PAGE_SIZE } from '../query.ts'
import type { Service } from '../service.ts'

/** Numbers of documents that are read together when each must be tested: the first time, and at most. Documents may be large. */
const FIRST_BATCH = 25
const LARGEST_BATCH = 200
/** A batch that was read in less time is followed by one of twice the size. */
const QUICK_MS = 5
const SCAN_MS = 10_000

/** List that a request is for, with everything that its pages depend on. */
export interface Listed extends Listing {
  readonly resource: Resource
  readonly operation: ListOperation
  /** Conditions that say whose records the list can have at all. */
  readonly scope: Where
  /** Says which documents belong to the list, where conditions do not suffice. */
  readonly selection?: Selection | undefined
  readonly form: PageForm
  /** Time by the clock of the workspace; milliseconds since 1970. */
  readonly now: number
}

/** Place from which a list continues. */
interface Continuation {
  readonly after?: Place | undefined
  readonly start?: WalkStart | undefined
}

/** Returns the next documents that may belong to a selection. */
const nextOf = async (
  { everywhere: live, walks }: Service,
  { resource }: Listed,
  query: OrderedQuery,
  selection: Selection,
  start: WalkStart | undefined,
): Promise<Stretch> => {
  if (!goesThrough(selection, query)) return walks.next(resource, query, start)
  const documents = await findSelected(live, resource.name, query, selection)
  return { found: documents.map((document) => ({ document, place: { id: document.id } })), start }
}

/** Returns documents that pass the test, up to one page and one more. @throws {Refusal} invalid, after 10 seconds */
const scan = async (
  service: Service,
  listed: Listed,
  selection: Selection,
  { after: first, start }: Continuation,
): Promise<Stretch> => {
  const { query } = listed
  const passed: Placed[] = []
  const started = performance.now()
  const slice = timeSlices()
  let limit = FIRST_BATCH
  for (let [after, walk] = [first, start]; ; ) {
    const began = performance.now()
    const stretch = await nextOf(service, listed, { ...query, ...(after && { after }), limit }, selection, walk)
    const { found } = stretch
    const isQuick = performance.now() - began < QUICK_MS
    const opened = await Promise.all(found.map(({ document }) => openDocument(service.vault, document)))
    const whole = await completed(opened, selection, service.everywhere)
    for (const [n, placed] of found.entries()) {
      if (selection.test?.(whole[n]!)) passed.push(placed)
      await slice()
    }
    await nextTurn()
    walk = stretch.start
    if (found.length < limit || passed.length > PAGE_SIZE) return { found: passed.slice(0, PAGE_SIZE + 1), start: walk }
    if (isQuick) limit = Math.min(limit * 2, LARGEST_BATCH)
    after = found.at(-1)!.place
    if (performance.now() - started > SCAN_MS) {
      throw refuse.invalid(`This filter took longer than ${SCAN_MS / 1000}s to evaluate and was stopped`)
    }
  }
}

/** Returns a record of the list, even if it is gone, as it is or was at last. @returns `undefined` for any other id */
const recordOfList = async ({ everywhere: live, history }: Service, { resource, scope }: Listed, id: number) => {
  const document = (await live.get(resource.name, id)) ?? (await history.lastOf(resource, id))
  return document && isWithin(document, scope) ? document : undefined
}

/** Whether `after` of a list that is paged only on request names no record of the list, past or present. Nothing comes after such an id. */
const isAfterUnknown = async (service: Service, listed: Listed): Promise<boolean> => {
  const { operation, from } = listed
  if (operation.paged !== 'onRequest' || typeof from !== 'number') return false
  return (await recordOfList(service, listed, from)) === undefined
}

/**
 * Returns where a request continues, and the walk that it belongs to. An id alone names a record; in an order by another field it begins a walk
 * behind the place where that record stands now or, if it is gone, stood at last.
 *
 * @throws {Refusal} malformed, in such an order for an id that never was in the list
 */
const continuationOf = async (service: Service, listed: Listed): Promise<Continuation> => {
  const { query, from, now } = listed
  const { by } = query.sort
  if (by === 'id') return typeof from === 'number' ? { after: { id: from } } : {}
  if (typeof from === 'object') return { after: from.place, start: from.start }
  const start = await service.walks.start(now)
  if (from === undefined) return { start }
  const record = await recordOfList(service, listed, from)
  if (!record) throw refuse.malformed('after names no record of this list', 'after', 'not_found')
  return { after: placeOf(record, by), start }
}

/** Page, with the stretch of the walk that it shows where it is not simply what the query finds. */
interface FoundPage {
  readonly page: Page
  readonly stretch?: Stretch
}

const showStretch = async (service: Service, { resource }: Listed, stretch: Stretch, form: PageForm) => {
  const documents = stretch.found.map(({ document }) => document)
  return { page: await service.responseCache.of(resource, documents, form), stretch }
}

/** Returns a page of a walk that is under way. As long as nothing in the list has changed, that is what the query finds. */
const continueWalk = async (
  service: Service,
  listed: Listed,
  form: PageForm,
  { after, start }: { readonly after: Place | undefined; readonly start: WalkStart },
): Promise<FoundPage> => {
  const { resource, query } = listed
  const { walks, responseCache } = service
  const from = { ...query, ...(after && { after }) }
  const page = await responseCache.page(resource, from, form)
  if (!(await walks.isDisturbed(resource, query.where, start))) return { page }
  return showStretch(service, listed, await walks.next(resource, { ...from, limit: PAGE_SIZE + 1 }, start), form)
}

/** Page of a list, with the cursor of the next one if there is more. */
export interface PageAndNext {
  readonly page: Page
  readonly next?: string
}

/** Returns a page in the order of ids, which needs no walk: ids never change. */
const pageById = (service: Service, { resource, query, from, form }: Listed): MaybePromise<PageAndNext> => {
  const page = service.responseCache.page(
    resource,
    typeof from === 'number' ? { ...query, after: { id: from } } : query,
    form,
  )
  return mapMaybe(page, (page) => (page.more && page.last ? { page, next: String(page.last.id) } : { page }))
}

/** Returns one page of a list, and the cursor of the next one if there is more. */
export const pageOf = (service: Service, listed: Listed): MaybePromise<PageAndNext> => {
  const { operation, query, selection } = listed
  const needsLook = operation.paged === 'onRequest' || query.sort.by !== 'id' || selection?.test !== undefined
  return needsLook ? pageInOrder(service, listed) : pageById(service, listed)
}

/** Returns a page of a list in any order, also of one whose records must be looked at. */
const pageInOrder = async (service: Service, listed: Listed): Promise<PageAndNext> => {
  const { resource, query, from, form } = listed
  const { by } = query.sort
  if (await isAfterUnknown(service, listed)) return { page: await service.responseCache.of(resource, [], form) }
  const { after, start } = await continuationOf(service, listed)
  // The first page of a walk is in the present order.
  const underWay = typeof from === 'object' && query.limit !== undefined ? start : undefined
  const { selection } = listed
  const { page, stretch }: FoundPage = selection?.test
    ? await showStretch(service, listed, await scan(service, listed, selection, { after, start: underWay }), form)
    : underWay
      ? await continueWalk(service, listed, form, { after, start: underWay })
      : { page: await service.responseCache.page(resource, { ...query, ...(after && { after }) }, form) }
  if (!page.more || !page.last) return { page }
  if (by === 'id') return { page, next: String(page.last.id) }
  const place = stretch ? stretch.found[PAGE_SIZE - 1]!.place : placeOf(page.last, by)
  return {
    page,
    next: packCursor(service.publicIds, { by, place, start: underWay && stretch ? stretch.start : start }),
  }
}
