import { sentSchema } from '../../domain/kernel/model/parse.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { EITHER_FORM } from '../../domain/kernel/values/public-ids.ts'
import type { Filter, ListOperation, WriteOperation } from '../../domain/resources/operation.ts'
import type { ReadOperation } from '../../domain/resources/read-operation.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { CURSOR, LONGEST_CURSOR } from '../cursor.ts'
import type { Route } from '../routes.ts'

const query = (name: string, schema: JsonObject, description: string): JsonObject => ({
  name,
  in: 'query',
  required: false,
  schema,
  description,
})

const header = (name: string, schema: JsonObject, description: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  schema,
  description,
})

const path = (name: string, description = 'An id or a public id'): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description,
})

const TAKES: Readonly<Record<Filter['type'], string>> = {
  flag: 'true or false',
  id: 'One id or public id, or several separated by commas',
  text: 'One value, or several separated by commas',
  digest: 'One value, or several separated by commas',
}

const filterSchema = ({ type, among, about = among?.join(', ') ?? TAKES[type] }: Filter): JsonObject => ({
  type: type === 'flag' ? 'boolean' : 'string',
  description: about,
})

const filters = (operation: ListOperation): readonly JsonObject[] => {
  const entries = Object.entries(operation.filters)
  if (entries.length === 0) return []
  const properties = Object.fromEntries(entries.map(([name, filter]) => [name, filterSchema(filter)]))
  const schema = { type: 'object', properties, additionalProperties: false }
  const description = 'Several filters must all match; several values of one are alternatives'
  return [{ name: 'filter', in: 'query', required: false, style: 'deepObject', explode: true, schema, description }]
}

const selecting = ({ select }: ListOperation): readonly JsonObject[] =>
  Object.entries(select?.parameters ?? {}).map(([name, about]) => query(name, { type: 'string' }, about))

const own = ({ query: fields = {} }: WriteOperation): readonly JsonObject[] =>
  Object.entries(fields).map(([name, field]) =>
    query(name, sentSchema(field) as unknown as JsonObject, field.about ?? ''),
  )

/** Parameters of a read. Those that are objects are sent as `name[key]=value`. */
const asked = ({ query: schemas = {}, expands = [] }: ReadOperation): readonly JsonObject[] => [
  ...Object.entries(schemas).map(([name, schema]) => {
    const { description = '', ...plain } = schema as unknown as JsonObject & { readonly description?: string }
    const one = query(name, plain, description)
    return plain.type === 'object' ? { ...one, style: 'deepObject', explode: true } : one
  }),
  ...expandable(expands),
]

const listing = (operation: ListOperation): readonly JsonObject[] => [
  ...(operation.paged === 'never' ? filters(operation) : paging(operation)),
  ...selecting(operation),
]

const paging = (operation: ListOperation): readonly JsonObject[] => [
  query(
    'after',
    { type: 'string', pattern: `^$|${EITHER_FORM}|${CURSOR}`, maxLength: LONGEST_CURSOR },
    'Continue behind the record with this id, or from what Pagination-Next gave',
  ),
  query('sort_order', { type: 'string', enum: ['asc', 'desc'] }, 'Default asc'),
  query(
    'sort_property',
    { type: 'string', enum: operation.sorts },
    'Default id, which is the order of creation; id also breaks ties',
  ),
  ...filters(operation),
]

const expanding = (resource: Resource): readonly JsonObject[] => expandable(Object.keys(resource.view.expands ?? {}))

const expandable = (names: readonly string[]): readonly JsonObject[] => {
  if (names.length === 0) return []
  const schema = { type: 'array', items: { type: 'string', enum: names } }
  return [{ ...query('expand[]', schema, 'Parts that are only there when asked for'), style: 'form', explode: true }]
}

const KEY: JsonObject = { type: 'string', minLength: 1, maxLength: 255 }
const TAG = '(W/)?"?\\d+"?'
const REVISION: JsonObject = { type: 'string', pattern: `^(\\*|${TAG}(\\s*,\\s*${TAG})*)$` }
const HANDLING: JsonObject = { type: 'string', enum: ['handling=strict', 'handling=lenient'] }

/** Returns everything that an operation takes besides its body. */
export const parametersOf = ({ path: template, operation, resource }: Route): readonly JsonObject[] => [
  ...[...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) =>
    path(name!, operation.kind === 'read' ? operation.byCode : undefined),
  ),
  ...(operation.kind === 'list' ? listing(operation) : []),
  ...(operation.kind === 'read' && operation.pagedBy
    ? [query('after', { type: 'string', pattern: `^$|${operation.pagedBy}` }, 'Continue behind the item with this id')]
    : []),
  ...(operation.kind === 'write' ? own(operation) : []),
  ...(operation.kind === 'read' ? asked(operation) : []),
  ...(operation.kind === 'read' || ('shows' in operation && operation.shows) ? [] : expanding(resource)),
  ...(operation.kind === 'show' || (operation.kind === 'read' && operation.past)
    ? [
        query(
          'as_of',
          { type: 'string', format: 'date-time' },
          'The record as it was at this time; in UTC unless an offset is given',
        ),
      ]
    : []),
  ...(operation.kind === 'write'
    ? [header('Idempotency-Key', KEY, 'Makes a repeat of this request safe for 30 days')]
    : []),
  ...('body' in operation && operation.body
    ? [header('Prefer', HANDLING, 'strict: refuse unknown fields. By default the header Millrace-Ignored names them')]
    : []),
  ...(operation.kind === 'write' && operation.on !== 'owner'
    ? [header('If-Match', REVISION, 'Write only if the record still has this ETag, or one of these; *: if it is there')]
    : []),
]
