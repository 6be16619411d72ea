import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { type Resource, spellingOf } from '../../domain/resources/resource.ts'
import type { ApiRequest } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { reachable, requireSubjectScope } from '../tenancy.ts'
import { orLate } from './read-your-writes.ts'

/** The id that a path parameter spells. @throws {Refusal} not found, for what cannot be an id */
export const pathId = (service: Service, resource: Resource, text: string | undefined): number => {
  const id = service.publicIds.of(spellingOf(resource)).parse(text)
  if (id === undefined) throw refuse.notFound(resource.missing)
  return id
}

/** The owner that the path names, which must be there and within reach. */
export const ownerOf = (service: Service, route: Route, request: ApiRequest): MaybePromise<Document | undefined> => {
  const { under } = route.resource
  if (!route.path.includes(`{${under.param}}`)) return undefined
  const owner = service.resources.get(under.resource)!
  const id = pathId(service, owner, request.params[under.param])
  const found = orLate(service, () => service.live.get(owner.name, id))
  return mapMaybe(found, (document) => reachable(owner, document, request.caller))
}

/** The id of the record that the path names: by `{id}`, or by its owner where an owner has only one, which then has its id. */
export const recordId = (service: Service, { path, resource }: Route, request: ApiRequest): number =>
  pathId(service, resource, request.params[path.includes('{id}') ? 'id' : resource.under.param])

/** The record, if it is within reach, below the owner where the path names that as well, and tells of nothing that the token may not read. */
export const belowOwner = (
  { resources }: Service,
  { path, resource }: Route,
  document: Document | undefined,
  request: ApiRequest,
  owner: Document | undefined,
): Document => {
  const foreign = owner && path.includes('{id}') && document?.[resource.under.field] !== owner.id
  const found = reachable(resource, foreign ? undefined : document, request.caller)
  requireSubjectScope(resources, resource, found, request.caller)
  return found
}

/** The record that the path names, which must be there and within reach. */
export const recordOf = async (
  service: Service,
  route: Route,
  request: ApiRequest,
  owner?: Document,
): Promise<Document> => {
  const id = recordId(service, route, request)
  const found = await orLate(service, () => service.live.get(route.resource.name, id))
  return belowOwner(service, route, found, request, owner)
}
