import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { isJsonObject, type Json } from '../../domain/kernel/values/event.ts'
import { momentIn } from '../../domain/kernel/values/instant.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Shown } from '../../domain/resources/operation.ts'
import type { ReadInput, ReadOperation } from '../../domain/resources/read-operation.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import type { Loader } from '../../domain/resources/view-types.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import { createPastLoader } from '../../projections/loading/past-loader.ts'
import { orThrow } from '../errors.ts'
import { localesIn } from '../http/locales.ts'
import { expandedAmong, expansions, PAGE_SIZE } from '../query.ts'
import { findAfterCatchUp } from '../read-your-writes.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { withinFlight } from './in-flight.ts'
import { nextPage } from './next-page.ts'
import { belowOwner, ownerOf, recordId, recordOf, withItsOwner } from './record-access.ts'
import { checkedFieldsOf } from './references.ts'
import type { ApiRequest, Reply } from './request.ts'
import { packState, unpackState } from './state-token.ts'
import { isClockMoving, timeFor } from './workspace-clock.ts'

/** Returns the revision of a record as its entity tag. */
export const etag = (document: Document): string => `"${document.rev}"`

/** Returns a document as the API shows it. */
export const present = async (
  service: Service,
  resource: Resource,
  document: Document,
  load: Loader,
  expand: ReadonlySet<string>,
  shows?: Shown,
) => {
  const opened = await openDocument(service.vault, document)
  return shows ? shows.of(opened, load, packState) : resource.view.present(opened, load, expand)
}

const NO_HEADERS: Record<string, string> = {}

/** Returns the header that names the parts of an answer that are not complete. */
export const cutHeaders = (cuts: Iterable<string>): Record<string, string> => {
  const names = [...new Set(cuts)]
  return names.length === 0 ? NO_HEADERS : { 'Millrace-Cut': names.join(', ') }
}

const asOf = (request: ApiRequest): string | undefined => {
  const text = request.query.get('as_of')
  if (text === null) return undefined
  const at = momentIn(text)
  if (at === undefined) throw refuse.malformed('as_of must be an ISO 8601 date-time', 'as_of', 'type')
  return at
}

/** Answers with one record as it is or, with `as_of`, as it was at that time. */
export const show = (service: Service, route: Route, request: ApiRequest): MaybePromise<Reply> => {
  const { resource, operation } = route
  const expand = expansions(request.query, resource, operation.expanded)
  const { seesPersonalData } = request.caller
  return mapMaybe(ownerOf(service, route, request), (owner) => {
    const at = asOf(request)
    if (at !== undefined) return showPast(service, route, request, { owner, at, expand })
    const id = recordId(service, route, request)
    return mapMaybe(
      findAfterCatchUp(service, () => service.responseCache.one(resource, id, { expand, seesPersonalData })),
      (shown) => {
        const found = belowOwner(service, route, shown?.frame, request, owner)
        return mapMaybe(withItsOwner(service, resource, found), (frame) => ({
          status: 200,
          text: shown!.text,
          headers: { ETag: etag(frame), ...cutHeaders(shown!.cuts) },
        }))
      },
    )
  })
}

interface Past {
  readonly owner: Document | undefined
  readonly at: string
  readonly expand: ReadonlySet<string>
}

const showPast = async (
  service: Service,
  route: Route,
  request: ApiRequest,
  { owner, at, expand }: Past,
): Promise<Reply> => {
  const { resource } = route
  const past = await service.history.document(resource, recordId(service, route, request), { at })
  const document = belowOwner(service, route, past, request, owner)
  const load = createPastLoader(service, { at }, request.caller.seesPersonalData)
  const body = await resource.view.present(document, load, expand)
  return { status: 200, body, headers: { ETag: etag(document), ...cutHeaders(load.cuts) } }
}

/** Returns the record that a read is for, as it is or as it was, with look-ups of the same time. */
const subjectOf = async (service: Service, route: Route, request: ApiRequest, owner: Document | undefined) => {
  const operation = route.operation as ReadOperation
  const at = operation.past ? asOf(request) : undefined
  if (at === undefined) {
    const isOfRecord = request.params.id !== undefined && operation.byCode === undefined
    const document = isOfRecord ? await recordOf(service, route, request, owner) : undefined
    return { document, load: createLoader(service, request.caller.seesPersonalData) }
  }
  const load = createPastLoader(service, { at }, request.caller.seesPersonalData)
  if (request.params.id === undefined) return { document: undefined, load }
  const past = await service.history.document(route.resource, recordId(service, route, request), { at })
  return { document: belowOwner(service, route, past, request, owner), load }
}

/** Returns the requested page with one item more, which tells whether another page follows. */
const pageIn = (query: URLSearchParams): ReadInput['page'] => {
  const after = query.get('after')
  return { limit: PAGE_SIZE + 1, ...(after && { after }) }
}

const firstPage = (request: ApiRequest, items: readonly Json[]): Reply => {
  const body = items.slice(0, PAGE_SIZE)
  const last = body.at(-1)
  const more = items.length > PAGE_SIZE && isJsonObject(last)
  return { status: 200, body, headers: more ? nextPage(request, String(last.id)) : {} }
}

/** Answers with the result of an operation that has its own way to read. */
export const read = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const { byCode, inFlight } = route.operation as ReadOperation
  const owner = byCode === undefined ? await ownerOf(service, route, request) : undefined
  return withinFlight(inFlight, request, owner, () => answer(service, route, request, owner))
}

const answer = async (
  service: Service,
  route: Route,
  request: ApiRequest,
  owner: Document | undefined,
): Promise<Reply> => {
  const operation = route.operation as ReadOperation
  const { document, load } = await subjectOf(service, route, request, owner)
  await isClockMoving(service, document ?? owner)
  const moment = operation.past ? asOf(request) : undefined
  const { query, params, caller } = request
  const { vault, publicIds, everywhere: live, reactorStore, texts } = service
  const { fields, read: bound } = await checkedFieldsOf(service, operation, request, document ?? owner)
  const result = await operation.read({
    ...{ caller, query, params, fields, load, read: bound, reactorStore, texts, pack: packState, unpack: unpackState },
    count: (collection, where) => live.count(collection, where),
    expand: expandedAmong(query, operation.expands ?? []),
    ...(moment !== undefined && { asOf: moment }),
    baseUrl: request.origin(),
    locales: localesIn(request.headers['accept-language']),
    ...(document && { document }),
    ...(owner && { owner }),
    at: timeFor(service, document ?? owner),
    publicId: (id, kind) => publicIds.of(kind).encode(id),
    parseId: (value, kind) => publicIds.of(kind).parse(value),
    token: (purpose, value) => vault.token(purpose, value),
    open: (subject, sealed) => vault.open(subject, sealed),
    openDocument: async (one) => openDocument(vault, one),
    page: pageIn(query),
  })
  const body = orThrow(result)
  if (operation.pagedBy && Array.isArray(body)) return firstPage(request, body)
  return { status: 200, body, headers: cutHeaders(load.cuts) }
}
