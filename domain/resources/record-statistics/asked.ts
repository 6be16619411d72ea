import type { Condition, Where } from '../../kernel/ports/read-models.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { Filter } from '../operation.ts'
import type { ReadInput } from '../read-operation.ts'
import type { Counted, Wanted } from './counted.ts'

const invalid = (says: string, field: string, code: string): Refusal => refuse.invalid(says, field, code)

/** Reads a flag: `name=true`, or `name[property]=x`. `undefined`: it is not asked for. */
const flagIn = (query: URLSearchParams, name: string): boolean | string | undefined | Refusal => {
  const property = query.get(`${name}[property]`)
  if (property !== null) return property
  const sent = query.get(name)
  if (sent === null || sent === '' || sent === 'false') return undefined
  return sent === 'true' || sent === '1' ? true : invalid(`${name} must be true or false`, name, 'type')
}

const propertyIn = (query: URLSearchParams, name: string, known: readonly string[]): string | undefined | Refusal => {
  const sent = flagIn(query, name)
  if (sent === undefined || sent instanceof Refusal) return sent
  if (known.length === 0) return invalid(`${name} is not supported for this resource`, name, 'unpermitted')
  if (typeof sent === 'string' && known.includes(sent)) return sent
  return invalid(`${name}[property] must be one of: ${known.join(', ')}`, `${name}[property]`, 'inclusion')
}

const isRefusal = (value: unknown): value is Refusal => typeof value === 'object' && value !== null

/** Reads which statistics are asked for. Refuses a request that asks for none. */
export const wantedIn = (query: URLSearchParams, name: string, counted: Counted): Wanted | Refusal => {
  const count = flagIn(query, 'count')
  const range = flagIn(query, 'created_at_range')
  const countBy = propertyIn(query, 'count_by', Object.keys(counted.countBy))
  const sum = propertyIn(query, 'sum', Object.keys(counted.sum ?? {}))
  for (const one of [count, range, countBy, sum]) if (isRefusal(one)) return one
  if ([count, range, countBy, sum].every((one) => one === undefined)) {
    const supported = ['count', 'count_by', 'created_at_range', ...(counted.sum ? ['sum'] : [])]
    return invalid(`no stats requested. Supported for ${name}: ${supported.join(', ')}`, 'count', 'blank')
  }
  return {
    count: count !== undefined,
    createdAtRange: range !== undefined,
    ...(typeof countBy === 'string' && { countBy }),
    ...(typeof sum === 'string' && { sum }),
  }
}

const FILTER = /^filter\[([^\][]*)\](?:\[\d*\])?$/

type Values = Pick<ReadInput, 'parseId' | 'token'>

const readValue = (name: string, filter: Filter, collection: string, text: string, { parseId, token }: Values) => {
  const field = `filter[${name}]`
  switch (filter.type) {
    case 'id':
      return parseId(text, filter.kind ?? collection) ?? invalid(`${field} must be ids`, field, 'type')
    case 'flag':
      return text === 'true' || text === 'false'
        ? text === 'true'
        : invalid(`${field} must be true or false`, field, 'type')
    case 'digest':
      return token(filter.purpose ?? name, filter.keptAs?.(text) ?? text)
    case 'text':
      return filter.keptAs?.(text) ?? text
  }
}

/** Reads the filters: any of the values of one, and all of them. Refuses an unknown one, and with `isPast` those by values that are sealed. */
export const conditionsIn = (
  query: URLSearchParams,
  { filters, collection }: Counted,
  values: Values,
  isPast: boolean,
): Where | Refusal => {
  const where: Record<string, Condition> = {}
  for (const [key, sent] of query) {
    if (!/^filters?\b/i.test(key)) continue
    const name = FILTER.exec(key)?.[1]
    const filter = name !== undefined && Object.hasOwn(filters, name) ? filters[name] : undefined
    if (name === undefined || !filter) return invalid(`${key} is not a filter of this resource`, key, 'unpermitted')
    if (isPast && filter.type === 'digest') return invalid(`${key} cannot be combined with as_of`, key, 'unpermitted')
    const found: (string | number | boolean)[] = []
    for (const text of sent.split(',').map((one) => one.trim())) {
      if (text === '') continue
      const value = readValue(name, filter, collection, text, values)
      if (typeof value === 'object') return value
      found.push(value)
    }
    if (found.length > 0) where[filter.field] = { $in: found }
  }
  return where
}
