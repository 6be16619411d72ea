import type { Json, JsonObject } from '../../domain/kernel/event.ts'
import type { Document, Where } from '../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../domain/kernel/refusal.ts'
import type { ListOperation, Loader, ReadOperation, Resource } from '../../domain/kernel/resource.ts'
import { createLoader, createPastLoader, openDocument } from '../loader.ts'
import { expansions, listQuery, PAGE_SIZE } from '../query.ts'
import { reachable } from '../reach.ts'
import type { ApiRequest, Reply } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'

/** The id that a path parameter spells. @throws {Refusal} not found, for what cannot be an id */
export const pathId = (service: Service, resource: Resource, text: string | undefined): number => {
  const id = service.publicIds.parse(text)
  if (id === undefined) throw refuse.notFound(resource.missing)
  return id
}

/** The owner that the path names, which must be there and within reach. */
export const ownerOf = async (service: Service, route: Route, request: ApiRequest): Promise<Document | undefined> => {
  const { under } = route.resource
  if (!route.path.includes(`{${under.param}}`)) return undefined
  const owner = service.resources.get(under.resource)!
  const id = pathId(service, owner, request.params[under.param])
  return reachable(owner, await service.live.get(owner.name, id), request.caller)
}

/** The record named by `{id}`, which must be there and within reach. */
export const recordOf = async (service: Service, resource: Resource, request: ApiRequest): Promise<Document> => {
  const id = pathId(service, resource, request.params.id)
  return reachable(resource, await service.live.get(resource.name, id), request.caller)
}

/** Revision of a record as its entity tag. */
export const etag = (document: Document): string => `"${document.rev}"`

const present = async (
  service: Service,
  resource: Resource,
  document: Document,
  load: Loader,
  expand: ReadonlySet<string>,
) => resource.view.present(await openDocument(service.vault, document), load, expand)

/** A record as its endpoints answer with it. */
export const presentLive = async (
  service: Service,
  resource: Resource,
  document: Document,
  expand: ReadonlySet<string>,
): Promise<JsonObject> => present(service, resource, document, createLoader(service), expand)

const asOf = (request: ApiRequest): string | undefined => {
  const text = request.query.get('as_of')
  if (text === null) return undefined
  const moment = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(moment.getTime())) {
    throw refuse.malformed('as_of must be an ISO 8601 date-time', 'as_of', 'type')
  }
  return moment.toISOString()
}

/** Answers with one record, as it is or, with `as_of`, as it was (design 8). */
export const show = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const { resource } = route
  const expand = expansions(request.query, resource)
  const at = asOf(request)
  if (at === undefined) {
    const document = await recordOf(service, resource, request)
    return {
      status: 200,
      body: await presentLive(service, resource, document, expand),
      headers: { ETag: etag(document) },
    }
  }
  const id = pathId(service, resource, request.params.id)
  const document = reachable(resource, await service.history.document(resource, id, { at }), request.caller)
  const past = createPastLoader(service.resources, service.history, { at })
  return { status: 200, body: await resource.view.present(document, past, expand), headers: { ETag: etag(document) } }
}

/** Answers with one page of records, and says where the next one begins. */
export const list = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const { resource } = route
  const operation = route.operation as ListOperation
  const expand = expansions(request.query, resource)
  const owner = await ownerOf(service, route, request)
  const base: Where = {
    ...(owner && { [resource.under.field]: owner.id }),
    ...operation.where,
    ...operation.ofCaller?.(request.caller),
  }
  const query = listQuery(request.query, operation, base, service.publicIds, service.vault)
  const found = await service.live.find(resource.name, query)
  const page = found.slice(0, PAGE_SIZE)
  const load = createLoader(service)
  const body = await Promise.all(page.map((document) => present(service, resource, document, load, expand)))
  return { status: 200, body, headers: found.length > PAGE_SIZE ? nextPage(request, page.at(-1)!) : {} }
}

const nextPage = (request: ApiRequest, last: Document): Record<string, string> => {
  const [path] = request.target.split('?')
  const query = new URLSearchParams(request.query)
  query.set('after', String(last.id))
  return { 'Pagination-Next': String(last.id), Link: `<${request.origin}${path}?${query}>; rel="next"` }
}

/** Answers with whatever a read of its own kind computes. */
export const read = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const operation = route.operation as ReadOperation
  const document = request.params.id === undefined ? undefined : await recordOf(service, route.resource, request)
  const body = await operation.read({
    caller: request.caller,
    baseUrl: request.origin,
    ...(document && { document }),
    load: createLoader(service),
    read: service.live,
  })
  return { status: 200, body: body as Json }
}
