import fc, { type Arbitrary } from 'fast-check'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import { nearly, oddJson, oddText, type Schema } from './values.ts'

/** A request with stand-ins for ids: `@contact:7` becomes the id of a contact that exists when the request is sent. */
export interface FuzzRequest {
  readonly operationId: string
  readonly method: string
  /** Below /api/v2, with query, percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A value to be sent as JSON, or a text to be sent as it is. */
  readonly body: { readonly json: unknown } | { readonly raw: string } | undefined
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface DocumentedOperation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

const routes = new Map(routesOf(resources).map((route) => [route.operationId, route]))
const byLastWord = new Map(resources.map(({ name }) => [name.split(/[/_]/).at(-1)!, name]))

const standIn = (resource: string): Arbitrary<string> => fc.nat({ max: 50 }).map((number) => `@${resource}:${number}`)
const anyId: Arbitrary<string> = fc.constantFrom(...resources).chain(({ name }) => standIn(name))

/** Ids for a field by its name: for `pipelines_stage_id`, ids of stages. */
const idsFor = (field: string): Arbitrary<unknown> => {
  const resource = byLastWord.get(
    field
      .replace(/_ids?$/, '')
      .split('_')
      .at(-1)!,
  )
  return fc.oneof({ weight: 12, arbitrary: resource ? standIn(resource) : anyId }, { weight: 1, arbitrary: anyId })
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 2000)
const ODD_SEGMENTS = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '%00',
  '%ff',
  '%zz',
  '%E0%A4%A',
  '%2F',
  '..',
  '%2e%2e',
  '9'.repeat(16),
  '9'.repeat(40),
  'x'.repeat(600),
  'upsert',
  'NaN',
]

const segment = (resource: string | undefined): Arbitrary<string> =>
  fc.oneof(
    { weight: 20, arbitrary: resource ? standIn(resource) : anyId },
    { weight: 1, arbitrary: anyId },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_SEGMENTS) },
    { weight: 1, arbitrary: oddText.map((text) => encoded(text) || '%20') },
  )

const pathOf = (template: string, operationId: string): Arbitrary<string> => {
  const route = routes.get(operationId.replace(/_(put|patch)$/, ''))
  const parts = template.split('/').map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (name === undefined) return fc.constant(part)
    return segment(name === route?.resource.under.param ? route.resource.under.resource : route?.resource.name)
  })
  return fc.tuple(...parts).map((all) => all.join('/'))
}

const queryPair = ({ name, schema }: Parameter): Arbitrary<string> => {
  if (schema.type === 'object') {
    const keys = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...Object.keys(schema.properties ?? {})) },
      { weight: 1, arbitrary: oddText },
    )
    const value = fc.oneof(
      anyId,
      oddText.map(encoded),
      fc.constantFrom('true', 'false', '', 'Ada', 'ada@example.com', ',,', '@contact:1,@contact:2'),
    )
    return fc.tuple(keys, value).map(([key, one]) => `${name}[${encoded(key)}]=${one}`)
  }
  const words = schema.items?.enum ?? schema.enum
  const at = fc.constantFrom('2030-01-01', '2030-01-02T03:04:05Z', '2020-01-01', '9999-12-31T23:59:59-23:59', 'now')
  const plain = words ? fc.constantFrom(...words).map(String) : schema.format === 'date-time' ? at : anyId
  return fc
    .oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: oddText.map(encoded) })
    .map((value) => `${name}=${value}`)
}

const queryOf = (parameters: readonly Parameter[]): Arbitrary<string> => {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(queryPair)
  const odd = fc.tuple(oddText, oddText).map(([key, value]) => `${encoded(key)}=${encoded(value)}`.slice(0, 500))
  const pairs = fc.array(
    known.length > 0 ? fc.oneof({ weight: 9, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: odd }) : odd,
    { maxLength: 3 },
  )
  return pairs.map((all) => (all.length > 0 ? `?${all.join('&')}` : ''))
}

const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code < 0x7f || code > 0xa0)
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
})
const someHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 16, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.uuid(), fc.uuid(), fc.constant('once'), headerText)
      .map((value) => ({ 'idempotency-key': value })),
  },
  {
    weight: 1,
    arbitrary: fc
      .oneof(fc.constantFrom('"0"', '"1"', 'W/"0"', '*', '"99999999999999999999"', ''), headerText)
      .map((value) => ({ 'if-match': value })),
  },
  { weight: 1, arbitrary: headerText.map((value) => ({ 'x-request-id': value })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'text/plain',
        'application/json; charset=utf-16',
        'multipart/form-data',
        'application/x-www-form-urlencoded',
        ';',
        'a/b/c',
      )
      .map((value) => ({ 'content-type': value })),
  },
  { weight: 1, arbitrary: fc.constantFrom('gzip', 'br', 'nonsense').map((value) => ({ 'content-encoding': value })) },
  {
    weight: 1,
    arbitrary: fc.oneof(headerText, fc.constant('Bearer mr_unknown')).map((value) => ({ authorization: value })),
  },
)

const RAW = [
  '',
  '{',
  '[',
  'nul',
  '"\\ud800"',
  '{"a":1,}',
  '\u0000',
  '[['.repeat(5000),
  '{"a":'.repeat(40),
  '1e999',
  '{"a":"\u0001"}',
]

const bodyOf = (schema: Schema | undefined): Arbitrary<FuzzRequest['body']> => {
  if (!schema)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: oddJson.map((json) => ({ json })) },
    )
  return fc.oneof(
    { weight: 15, arbitrary: nearly(schema, '', idsFor).map((json) => ({ json })) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW).map((raw) => ({ raw })) },
    { weight: 1, arbitrary: oddJson.map((json) => ({ json })) },
  )
}

/** More records are created than deleted, so that most requests find a record. */
const WEIGHTS: Readonly<Record<string, number>> = { post: 6, delete: 1 }

/** Valid and nearly valid requests to all operations of a document. */
export const requestsOf = (document: OpenApi): Arbitrary<FuzzRequest> => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      template: path.replace('/api/v2', ''),
      method,
      operation,
    })),
  )
  return fc.oneof(
    ...operations.map(({ template, method, operation }) => {
      const { operationId, parameters = [], requestBody } = operation
      const path = fc.tuple(pathOf(template, operationId), queryOf(parameters)).map(([one, query]) => one + query)
      const body = bodyOf(requestBody?.content['application/json']?.schema)
      const about = { operationId: fc.constant(operationId), method: fc.constant(method.toUpperCase()) }
      return { weight: WEIGHTS[method] ?? 3, arbitrary: fc.record({ ...about, path, headers: someHeaders, body }) }
    }),
  )
}
