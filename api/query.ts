import type { Condition, Document, Query, Where } from '../domain/kernel/ports/read-models.ts'
import type { Vault } from '../domain/kernel/ports/vault.ts'
import type { Json } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import { refuse } from '../domain/kernel/values/refusal.ts'
import type { Filter, ListOperation } from '../domain/resources/operation.ts'
import { publicIdResourceOf, type Resource } from '../domain/resources/resource.ts'
import type { OrderedQuery } from '../projections/walks.ts'
import { type Cursor, unpackCursor } from './cursor.ts'

/** Number of records on a page; fixed by the contract. */
export const PAGE_SIZE = 20

const oneOf = (query: URLSearchParams, name: string, allowed: readonly string[], fallback: string): string => {
  const value = query.get(name)
  if (value === null || value === '') return fallback
  if (allowed.includes(value)) return value
  throw refuse.malformed(`${name} must be one of: ${allowed.join(', ')}`, name, 'inclusion')
}

const NOTHING: ReadonlySet<string> = new Set()

/** Returns the names in `expand[]`, and those that are always expanded. @throws {Refusal} malformed, for one that the resource cannot expand */
export const expansions = (
  query: URLSearchParams,
  resource: Resource,
  always: readonly string[] = [],
): ReadonlySet<string> => {
  if (query.size === 0 && always.length === 0) return NOTHING
  return new Set([...always, ...expandedAmong(query, Object.keys(resource.view.expands ?? {}))])
}

/** Returns the names in `expand[]`. @throws {Refusal} malformed, for one that is not known, where any is */
export const expandedAmong = (query: URLSearchParams, known: readonly string[]): ReadonlySet<string> => {
  const names = [...query.getAll('expand[]'), ...query.getAll('expand')]
  for (const name of names) {
    if (!known.includes(name) && known.length > 0)
      throw refuse.malformed(`cannot expand ${name}`, 'expand[]', 'inclusion')
  }
  return new Set(names)
}

/** List that a request is for. */
interface ListTarget {
  readonly resource: Resource
  readonly operation: ListOperation
  /** Conditions that hold for every request. */
  readonly base: Where
}

const kindIn = (resource: Resource, { field, kind }: Filter): string =>
  kind ?? (field === 'id' ? publicIdResourceOf(resource) : resource.refersTo?.[field]) ?? field

const filterValue = (
  name: string,
  filter: Filter,
  resource: Resource,
  text: string,
  ids: PublicIds,
  vault: Vault,
): string | number | boolean => {
  switch (filter.type) {
    case 'id': {
      const id = ids.of(kindIn(resource, filter)).parse(text)
      if (id === undefined)
        throw refuse.malformed(`filter[${name}] must be ids, separated by commas`, `filter[${name}]`, 'type')
      return id
    }
    case 'flag':
      if (text !== 'true' && text !== 'false')
        throw refuse.malformed(`filter[${name}] must be true or false`, `filter[${name}]`, 'type')
      return text === 'true'
    case 'digest':
      return vault.token(filter.purpose ?? name, filter.keptAs?.(text) ?? text)
    case 'text':
      if (filter.among && !filter.among.includes(text))
        throw refuse.invalid(`${name} must be one of: ${filter.among.join(', ')}`, `filter[${name}]`, 'inclusion')
      return filter.keptAs?.(text) ?? text
  }
}

const MEANT_AS_FILTER = /^filters?(?:[[.]|$)/i

/** Tells whether a parameter is a filter, or is meant to be one. */
export const isFilter = (name: string): boolean => MEANT_AS_FILTER.test(name)

const FILTER = /^filter\[([^\][]*)\](?:\[\d*\])?$/

/**
 * Returns the texts of each filter: `filter[name]=v1,v2`, `filter[name][]=v1` or `filter[name][0]=v1`, also repeated.
 *
 * @throws {Refusal} malformed, for a filter in another form, which would otherwise select everything
 */
const filtersIn = (query: URLSearchParams): ReadonlyMap<string, readonly string[]> => {
  const filters = new Map<string, string[]>()
  for (const [key, value] of query) {
    if (!isFilter(key)) continue
    const name = FILTER.exec(key)?.[1]
    if (name === undefined) throw refuse.malformed(`found unpermitted parameter: :${key}`, key, 'unpermitted')
    const texts = getOrInsert(filters, name, (): string[] => [])
    for (const text of value.split(',')) if (text.trim() !== '') texts.push(text.trim())
  }
  return filters
}

/** Returns the conditions of `filter[name]=v1,v2`: any of the values of a filter, and all of the filters. */
const filterConditions = (
  query: URLSearchParams,
  { resource, operation }: ListTarget,
  ids: PublicIds,
  vault: Vault,
): Where => {
  const where: Record<string, Condition> = {}
  for (const [name, texts] of filtersIn(query)) {
    const filter = Object.hasOwn(operation.filters, name) ? operation.filters[name] : undefined
    if (!filter) throw refuse.malformed(`found unpermitted parameter: :${name}`, `filter[${name}]`, 'unpermitted')
    const values = [...new Set(texts.map((text) => filterValue(name, filter, resource, text, ids, vault)))]
    where[filter.field] = values.length === 1 ? values[0]! : { $in: values }
  }
  return where
}

/** What a list request asks for. */
export interface Listing {
  readonly query: Pick<Query, 'where' | 'limit'> & Pick<OrderedQuery, 'sort'>
  /** Cursor that was sent. In an order by another field than the id, an id alone names the record behind which to continue. */
  readonly from?: Cursor | number | undefined
}

/** Returns the cursor or the id in `after`. @throws {Refusal} malformed, for anything else and for a cursor of another order */
const cursorIn = (text: string, by: string, resource: Resource, ids: PublicIds): Cursor | number => {
  const id = ids.of(publicIdResourceOf(resource)).parse(text)
  if (id !== undefined) return id
  const cursor = unpackCursor(ids, text)
  if (!cursor) throw refuse.malformed('after must be an id or what Pagination-Next gave', 'after', 'type')
  if (cursor.by === by) return cursor
  throw refuse.malformed(`after continues a list sorted by ${cursor.by}, not by ${by}`, 'after', 'invalid')
}

/** Returns what a list request asks for. @throws {Refusal} malformed, naming the parameter */
export const listQuery = (query: URLSearchParams, target: ListTarget, ids: PublicIds, vault: Vault): Listing => {
  const { resource, operation, base } = target
  const by = oneOf(query, 'sort_property', operation.sorts, 'id')
  const descending = oneOf(query, 'sort_order', ['asc', 'desc'], 'asc') === 'desc'
  const after = query.get('after') || null
  const cursor = after === null ? undefined : cursorIn(after, by, resource, ids)
  const filters = filterConditions(query, target, ids, vault)
  const whole = operation.paged === 'never' || (operation.paged === 'onRequest' && after === null)
  const fromStart = operation.paged === 'never' || (cursor === 0 && (operation.paged === 'onRequest' || by !== 'id'))
  return {
    query: { where: intersection(base, filters), sort: { by, descending }, ...(!whole && { limit: PAGE_SIZE + 1 }) },
    from: fromStart ? undefined : cursor,
  }
}

/** Combines two sets of conditions. A field that both name must satisfy both, so a contradiction matches nothing. */
const intersection = (base: Where, filters: Where): Where => {
  const merged: Record<string, Condition> = { ...filters }
  for (const [field, value] of Object.entries(base)) {
    const filter = filters[field]
    if (filter === undefined) merged[field] = value
    else merged[field] = { $in: valuesOf(filter).filter((one) => valuesOf(value).includes(one)) }
  }
  return merged
}

/** Whether a document meets conditions that name one value or several of each field. */
export const isWithin = (document: Document, where: Where): boolean =>
  Object.entries(where).every(([field, condition]) => valuesOf(condition).includes(document[field] ?? null))

const valuesOf = (condition: Condition): readonly Json[] =>
  typeof condition === 'object' && condition !== null && '$in' in condition
    ? (condition.$in as readonly Json[])
    : [condition as Json]
