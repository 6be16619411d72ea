import type { Document, Where } from '../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ListOperation, Selection } from '../../domain/resources/operation.ts'
import { orThrow } from '../errors.ts'
import { expansions, listQuery } from '../query.ts'
import type { ApiRequest, Reply } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { unpackState } from '../state-token.ts'
import { subjectFilter } from '../tenancy.ts'
import { type Listed, pageOf } from './list-page.ts'
import { nextPage } from './next-page.ts'
import { cutHeaders } from './read.ts'
import { ownerOf } from './record-access.ts'
import { timeFor, workspaceOf } from './workspace-clock.ts'

/** Returns the selection by the parameters of the operation's selector, if any was sent. */
const selectionOf = async (
  service: Service,
  { select }: ListOperation,
  query: URLSearchParams,
  owner: Document | undefined,
): Promise<Selection | undefined> => {
  if (!select) return undefined
  const names = Object.keys(select.parameters)
  for (const name of names) {
    if (!query.has(`filters[${name}]`) && !query.has(`filter[${name}]`)) continue
    throw refuse.malformed(`${name} must be a top-level parameter, not nested under filters[]`, name, 'nested')
  }
  const given = Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])))
  if (Object.keys(given).length === 0) return undefined
  const selection = await select.select(given, {
    workspaceId: Number(owner?.id),
    at: timeFor(service, owner),
    read: service.live,
    token: (purpose, value) => service.vault.token(purpose, value),
    open: (subject, sealed) => service.vault.open(subject, sealed),
    parseId: (value, kind) => service.publicIds.of(kind).parse(value),
    unpack: unpackState,
  })
  return orThrow(selection)
}

/** Answers with one page of records, and tells in headers where the next one begins. */
export const list = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const { resource } = route
  const operation = route.operation as ListOperation
  const expand = expansions(request.query, resource, operation.expanded)
  const owner = await ownerOf(service, route, request)
  const selection = await selectionOf(service, operation, request.query, owner)
  const scope: Where = {
    ...(owner && { [resource.under.field]: owner.id }),
    ...operation.ofCaller?.(request.caller),
    ...subjectFilter(service.resources, resource, request.caller),
  }
  const base: Where = { ...scope, ...(!selection?.beyond && operation.where) }
  const { query, from } = listQuery(request.query, { resource, operation, base }, service.publicIds, service.vault)
  const listed: Listed = {
    ...{ resource, operation, scope, from, test: selection?.test, now: service.now(workspaceOf(owner)) },
    query: { ...query, where: { ...selection?.where, ...query.where } },
    form: { expand, envelope: operation.envelope, seesPersonalData: request.caller.seesPersonalData },
  }
  const { page, next } = await pageOf(service, listed)
  return {
    status: 200,
    text: page.text,
    headers: { ...(next !== undefined && nextPage(request, next)), ...cutHeaders(page.cuts) },
  }
}
