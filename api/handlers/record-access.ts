import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { publicIdResourceOf, type Resource } from '../../domain/resources/resource.ts'
import { findAfterCatchUp } from '../read-your-writes.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { reachable, requireSubjectScope } from '../tenancy.ts'
import type { ApiRequest } from './request.ts'

/** Returns the id in a path parameter. @throws {Refusal} not found, for a text that is no id */
export const pathId = (service: Service, resource: Resource, text: string | undefined): number => {
  const id = service.publicIds.of(publicIdResourceOf(resource)).parse(text)
  if (id === undefined) throw refuse.notFound(resource.missing)
  return id
}

/** Returns a document if what it goes with is there as well. @throws {Refusal} not found, otherwise */
export const withItsOwner = (service: Service, resource: Resource, document: Document): MaybePromise<Document> => {
  if (!resource.goesWithOwner) return document
  const owner = service.resources.get(resource.under.resource)!
  return mapMaybe(service.everywhere.get(owner.name, Number(document[resource.under.field])), (found) => {
    if (!found) throw refuse.notFound(resource.missing)
    return mapMaybe(withItsOwner(service, owner, found), () => document)
  })
}

/** Returns the owner that the path names, if it names one. The owner must exist and be within reach. */
export const ownerOf = (service: Service, route: Route, request: ApiRequest): MaybePromise<Document | undefined> => {
  const { under } = route.resource
  if (!route.path.includes(`{${under.param}}`)) return undefined
  const owner = service.resources.get(under.resource)!
  const id = pathId(service, owner, request.params[under.param])
  const found = findAfterCatchUp(service, () => service.everywhere.get(owner.name, id))
  return mapMaybe(found, (document) => withItsOwner(service, owner, reachable(owner, document, request.caller)))
}

/** Returns the parameter of the path that names the record: the one that the operation says, `{id}`, or that of its owner where an owner has only one record. */
const parameterOf = ({ path, resource, operation }: Route): string => {
  if ('names' in operation && operation.names !== undefined) return operation.names
  return path.includes('{id}') ? 'id' : resource.under.param
}

/** Returns the id of the record that the path names. */
export const recordId = (service: Service, route: Route, request: ApiRequest): number =>
  pathId(service, route.resource, request.params[parameterOf(route)])

/** Returns the record if it is within reach, belongs to the owner in the path, if any, and its subject may be read by the token. Throws a refusal otherwise. */
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

/** Returns the record that the path names. It must exist and be within reach. */
export const recordOf = async (
  service: Service,
  route: Route,
  request: ApiRequest,
  owner?: Document,
): Promise<Document> => {
  const id = recordId(service, route, request)
  const found = await findAfterCatchUp(service, () => service.everywhere.get(route.resource.name, id))
  return withItsOwner(service, route.resource, belowOwner(service, route, found, request, owner))
}
