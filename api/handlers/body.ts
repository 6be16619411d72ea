import { humanize, parseFields } from '../../domain/kernel/model/parse.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { dayIn } from '../../domain/kernel/values/instant.ts'
import { type Detail, refuse } from '../../domain/kernel/values/refusal.ts'
import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { WithBody } from '../../domain/resources/body.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Service } from '../service.ts'
import type { ApiRequest } from './request.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Content of a body. */
export interface Sent {
  readonly fields: JsonObject
  /** All fields under the root, known or not. */
  readonly sent: JsonObject
}

/** Returns the object under the root of a body. @throws {Refusal} malformed when it is required and missing */
const unwrapped = (
  { root, optional }: NonNullable<WriteOperation['body']>,
  body: unknown,
): Readonly<Record<string, unknown>> => {
  if (root === null) return isObject(body) ? body : {}
  const wrapped = isObject(body) ? body[root] : undefined
  if (isObject(wrapped) && (optional || Object.keys(wrapped).length > 0)) return wrapped
  if (optional && (body === undefined || (isObject(body) && wrapped === undefined))) return {}
  throw refuse.malformed(`param is missing or the value is empty: ${root}`, root, 'missing')
}

/** Returns the zone of a record's workspace. Reads the workspace only where a date alone was sent, since nothing else depends on the zone. */
const zoneFor = async (
  { everywhere: live }: Service,
  sent: Readonly<Record<string, unknown>>,
  record: Document | undefined,
): Promise<string> => {
  const isDateAlone = (value: unknown) => typeof value === 'string' && dayIn(value) !== undefined
  if (typeof record?.workspace_id !== 'number' || !Object.values(sent).some(isDateAlone)) return 'UTC'
  return zoneOfWorkspace(await live.get('workspace', record.workspace_id))
}

/** Returns a problem for each number of a known field that would be stored with other digits than were sent. */
const lossyIn = (
  { root, fields }: NonNullable<WriteOperation['body']>,
  lossyNumbers: ApiRequest['lossyNumbers'],
): readonly Detail[] =>
  lossyNumbers.flatMap((path) => {
    const [name, ...inside] = root === null ? path : path[0] === root ? path.slice(1) : []
    if (typeof name !== 'string' || !Object.hasOwn(fields, name)) return []
    const message = `${humanize(name)} has a number with more digits than can be read exactly; send it as text`
    return [{ field: [name, ...inside].join('.'), code: 'precision', message }]
  })

/**
 * Returns the fields of a body, checked one by one.
 *
 * @param record what the path names; dates alone are understood in the zone of its workspace
 * @throws {Refusal} malformed when the root key is missing or empty, invalid with every field that is wrong
 */
export const fieldsOf = async (
  service: Service,
  operation: WithBody,
  { body, lossyNumbers }: Pick<ApiRequest, 'body' | 'lossyNumbers'>,
  record: Document | undefined,
): Promise<Sent> => {
  if (!operation.body) return { fields: {}, sent: {} }
  const { root, fields, mode } = operation.body
  const wrapped = unwrapped(operation.body, body)
  const zone = await zoneFor(service, wrapped, record)
  const parsed = parseFields(fields, wrapped, mode, { ids: service.publicIds, zone })
  const details = [...lossyIn(operation.body, lossyNumbers), ...parsed.details]
  if (details.length > 0) {
    const inside = root === null ? '' : `${root}.`
    throw refuse.invalidFields(details.map((detail) => ({ ...detail, field: inside + detail.field })))
  }
  return { fields: parsed.values, sent: wrapped as JsonObject }
}

/**
 * Returns the operation's own parameters in the query string; lists as `name[]=1&name[]=2` or `name=1,2`.
 *
 * @throws {Refusal} malformed, naming the parameter
 */
export const queryOf = (service: Service, operation: WriteOperation, query: URLSearchParams): JsonObject => {
  const fields = operation.query ?? {}
  const sent: Record<string, unknown> = {}
  for (const [name, { schema }] of Object.entries(fields)) {
    const values = [...query.getAll(name), ...query.getAll(`${name}[]`)]
    if (values.length === 0) continue
    sent[name] = 'items' in schema ? values.flatMap((value) => value.split(',')) : values.at(-1)
  }
  const { values, details } = parseFields(fields, sent, 'create', { ids: service.publicIds })
  const [first] = details
  if (first) throw refuse.malformed(first.message, first.field, first.code)
  return values
}
