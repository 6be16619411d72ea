import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import type { Document, Where } from '../../domain/kernel/ports/read-models.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ListOperation, Selection } from '../../domain/resources/operation.ts'
import { orThrow } from '../errors.ts'
import { expansions, listQuery, PAGE_SIZE } from '../query.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { placeFor, subjectFilter } from '../tenancy.ts'
import { type Listed, type PageAndNext, pageOf } from './list-page.ts'
import { nextPage } from './next-page.ts'
import { cutHeaders } from './read.ts'
import { ownerOf } from './record-access.ts'
import type { ApiRequest, Reply } from './request.ts'
import { unpackState } from './state-token.ts'
import { timeFor, workspaceOf } from './workspace-clock.ts'

/** Returns the selection by the parameters of the operation's selector, if any was sent. */
const selectionOf = async (
  service: Service,
  select: NonNullable<ListOperation['select']>,
  { query, caller }: Pick<ApiRequest, 'query' | 'caller'>,
  owner: Document | undefined,
): Promise<Selection | undefined> => {
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
    read: boundTo(service.everywhere, placeFor(caller, owner)),
    token: (purpose, value) => service.vault.token(purpose, value),
    open: (subject, sealed) => service.vault.open(subject, sealed),
    parseId: (value, kind) => service.publicIds.of(kind).parse(value),
    unpack: unpackState,
  })
  return orThrow(selection)
}

/** Returns the list that a request is for. @throws {Refusal} malformed, naming the parameter */
const listedBy = (
  service: Service,
  { resource, operation: declared }: Route,
  request: ApiRequest,
  owner: Document | undefined,
  selection: Selection | undefined,
): Listed => {
  const operation = declared as ListOperation
  const expand = expansions(request.query, resource, operation.expanded)
  const scope: Where = {
    ...(owner && { [resource.under.field]: owner.id }),
    ...operation.ofCaller?.(request.caller),
    ...subjectFilter(service.resources, resource, request.caller),
  }
  const base = operation.where && !selection?.beyond ? { ...scope, ...operation.where } : scope
  const { query, from } = listQuery(request.query, { resource, operation, base }, service.publicIds, service.vault)
  return {
    resource,
    operation,
    scope,
    from,
    selection,
    now: service.now(workspaceOf(owner)),
    query: selection?.where ? { ...query, where: { ...selection.where, ...query.where } } : query,
    form: {
      expand,
      envelope: operation.envelope,
      seesPersonalData: request.caller.seesPersonalData,
      most: query.limit === undefined ? Number.POSITIVE_INFINITY : PAGE_SIZE,
    },
  }
}

/** Answers with one page of records, and tells in headers where the next one begins. */
export const list = (service: Service, route: Route, request: ApiRequest): MaybePromise<Reply> => {
  const { select } = route.operation as ListOperation
  const replyWith = ({ page, next }: PageAndNext): Reply => {
    const headers = cutHeaders(page.cuts)
    return {
      status: 200,
      text: page.text,
      headers: next === undefined ? headers : { ...nextPage(request, next), ...headers },
    }
  }
  return mapMaybe(ownerOf(service, route, request), (owner) =>
    mapMaybe(select && selectionOf(service, select, request, owner), (selection) =>
      mapMaybe(pageOf(service, listedBy(service, route, request, owner, selection)), replyWith),
    ),
  )
}
