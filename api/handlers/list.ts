import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { Document, Query, Where } from '../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ListOperation, Selection } from '../../domain/resources/operation.ts'
import type { Page } from '../../projections/fragments.ts'
import { nextTurn, timeSlices } from '../../projections/turns.ts'
import { orThrow } from '../errors.ts'
import { expansions, listQuery, PAGE_SIZE } from '../query.ts'
import type { ApiRequest, Reply } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { unpackState } from '../state-token.ts'
import { subjectFilter } from '../tenancy.ts'
import { nextPage } from './next-page.ts'
import { cutHeaders } from './read.ts'
import { ownerOf } from './record-access.ts'
import { timeFor } from './workspace-clock.ts'

/** Numbers of documents that are read together when each must be tested: the first time, and at most. Documents may be large. */
const FIRST_BATCH = 25
const LARGEST_BATCH = 200
/** A batch that was read in less time is followed by one of twice the size. */
const QUICK_MS = 5
const SCAN_MS = 10_000

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

/** Returns documents of a query that pass a test on the opened document, up to one page and one more. @throws {Refusal} invalid, after 10 seconds */
const scan = async (
  service: Service,
  collection: string,
  query: Query,
  test: (document: Document) => boolean,
): Promise<Document[]> => {
  const passed: Document[] = []
  const started = performance.now()
  const slice = timeSlices()
  let after = query.after
  let size = FIRST_BATCH
  for (;;) {
    const began = performance.now()
    const batch = await service.live.find(collection, { ...query, ...(after !== undefined && { after }), limit: size })
    const isQuick = performance.now() - began < QUICK_MS
    const opened = await Promise.all(batch.map((document) => openDocument(service.vault, document)))
    for (const document of opened) {
      if (test(document)) passed.push(document)
      await slice()
    }
    await nextTurn()
    if (batch.length < size || passed.length > PAGE_SIZE) return passed.slice(0, PAGE_SIZE + 1)
    if (isQuick) size = Math.min(size * 2, LARGEST_BATCH)
    after = batch.at(-1)!.id
    if (performance.now() - started > SCAN_MS) {
      throw refuse.invalid(`This filter took longer than ${SCAN_MS / 1000}s to evaluate and was stopped`)
    }
  }
}

/** Whether `after` of a list that is paged only on request names no record of the list. Nothing comes after such an id. */
const isAfterUnknown = async (service: Service, route: Route, query: Query, base: Where): Promise<boolean> => {
  if ((route.operation as ListOperation).paged !== 'onRequest' || query.after === undefined) return false
  const { field } = route.resource.under
  const document = await service.live.get(route.resource.name, query.after)
  return !document || document[field] !== base[field]
}

/** Answers with one page of records, and tells in headers where the next one begins. */
export const list = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const { resource } = route
  const operation = route.operation as ListOperation
  const expand = expansions(request.query, resource, operation.expanded)
  const owner = await ownerOf(service, route, request)
  const selection = await selectionOf(service, operation, request.query, owner)
  const base: Where = {
    ...(owner && { [resource.under.field]: owner.id }),
    ...(!selection?.beyond && operation.where),
    ...operation.ofCaller?.(request.caller),
    ...subjectFilter(service.resources, resource, request.caller),
  }
  const listed = listQuery(request.query, { resource, operation, base }, service.publicIds, service.vault)
  const query = { ...listed, where: { ...selection?.where, ...listed.where } }
  const isEmpty = await isAfterUnknown(service, route, query, base)
  const most = query.limit === undefined ? Number.POSITIVE_INFINITY : PAGE_SIZE
  const form = { most, expand, envelope: operation.envelope, seesPersonalData: request.caller.seesPersonalData }
  const page = async (): Promise<Page> => {
    if (isEmpty) return service.responseCache.of(resource, [], form)
    if (!selection?.test) return service.responseCache.page(resource, query, form)
    return service.responseCache.of(resource, await scan(service, resource.name, query, selection.test), form)
  }
  const { text, last, more, cuts } = await page()
  return {
    status: 200,
    text,
    headers: { ...(more && last && nextPage(request, String(last.id))), ...cutHeaders(cuts) },
  }
}
