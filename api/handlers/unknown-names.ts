import type { FieldTable } from '../../domain/kernel/model/field.ts'
import { isObject } from '../../domain/kernel/model/parse.ts'
import { beginningOf } from '../../domain/kernel/values/characters.ts'
import { isFilter } from '../query.ts'
import type { Route } from '../routes.ts'
import type { ApiRequest } from './request.ts'

/** Highest number of names that are collected, and of those that a header tells. */
const MOST = 100
const MOST_IN_HEADER = 20
const LONGEST_NAME = 100
/** Room for the first name, of whatever characters. */
const LONGEST_HEADER = 1600

/** Collects the fields of a value that its table does not have, by their paths. */
const collectFields = (fields: FieldTable, value: unknown, path: string, names: string[]): void => {
  if (!isObject(value)) return
  for (const name of Object.keys(value)) {
    if (names.length >= MOST) return
    if (!Object.hasOwn(fields, name)) {
      names.push(path + name)
      continue
    }
    const table = fields[name]?.inner
    if (!table) continue
    const inner = value[name]
    if (!Array.isArray(inner)) collectFields(table, inner, `${path}${name}.`, names)
    else for (const [index, one] of inner.entries()) collectFields(table, one, `${path}${name}[${index}].`, names)
  }
}

const collectInBody = ({ operation }: Route, body: unknown, names: string[]): void => {
  if (!('body' in operation) || !operation.body || !isObject(body)) return
  const { root, fields } = operation.body
  if (root === null) {
    collectFields(fields, body, '', names)
    return
  }
  for (const name of Object.keys(body)) if (name !== root && names.length < MOST) names.push(name)
  if (Object.hasOwn(body, root)) collectFields(fields, body[root], `${root}.`, names)
}

/** Returns whether an operation reads a parameter of the query string. Lists refuse unknown filters themselves. */
const isQueryKnown = ({ operation, resource }: Route, name: string): boolean => {
  const { kind } = operation
  if (name === 'expand' || name === 'expand[]')
    return kind === 'read'
      ? operation.expands !== undefined
      : (kind === 'list' || kind === 'show' || kind === 'write') && resource.view.expands !== undefined
  if (kind === 'list') {
    if (name === 'after' || name === 'sort_property' || name === 'sort_order') return operation.paged !== 'never'
    return isFilter(name) || Object.hasOwn(operation.select?.parameters ?? {}, name)
  }
  if (name === 'as_of') return kind === 'show' || (kind === 'read' && operation.past === true)
  if (kind === 'read')
    return (
      (name === 'after' && operation.pagedBy !== undefined) ||
      Object.hasOwn(operation.query ?? {}, name.replace(/\[.*$/s, ''))
    )
  return kind === 'write' && Object.hasOwn(operation.query ?? {}, name.replace(/\[\]$/, ''))
}

/** Names in a request that the service does not know, at most 100 of each kind. */
export interface UnknownNames {
  /** Fields of the body, by their paths. */
  readonly fields: readonly string[]
  /** Parameters of the query string. */
  readonly parameters: readonly string[]
}

const NONE: UnknownNames = { fields: [], parameters: [] }

/** Returns the names in a request that the service ignores. */
export const unknownNames = (route: Route, { query, body }: Pick<ApiRequest, 'query' | 'body'>): UnknownNames => {
  if (query.size === 0 && body === undefined) return NONE
  const fields: string[] = []
  collectInBody(route, body, fields)
  const parameters = new Set<string>()
  for (const name of query.keys()) if (parameters.size < MOST && !isQueryKnown(route, name)) parameters.add(name)
  return fields.length + parameters.size === 0 ? NONE : { fields, parameters: [...parameters] }
}

/** Returns a name as a header may have it: other than in tokens, brackets and dots, characters are percent-encoded. */
const inHeader = (name: string): string =>
  beginningOf(name, LONGEST_NAME)
    .toWellFormed()
    .replace(/[^A-Za-z0-9!#$&'*+.^_`|~[\]-]+/g, encodeURIComponent)

/** Returns the value of `Millrace-Ignored`: the first 20 names, each of at most 100 characters, as far as there is room. */
export const ignoredHeader = ({ fields, parameters }: UnknownNames): string => {
  const named = [...fields, ...parameters].slice(0, MOST_IN_HEADER).map(inHeader)
  while (named.join(', ').length > LONGEST_HEADER) named.pop()
  return named.join(', ')
}
