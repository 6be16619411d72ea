import { Type } from 'typebox'
import { requestSchema } from '../../domain/kernel/model/parse.ts'
import type { Json, JsonObject } from '../../domain/kernel/values/event.ts'
import { scopeOf } from '../../domain/kernel/values/scopes.ts'
import { atOnce, inSlices, type Steps } from '../../domain/kernel/values/turns.ts'
import type { ListOperation } from '../../domain/resources/operation.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { eventTypesOf } from '../../domain/webhooks/catalog.ts'
import { accessTo, PREFIX, type Route } from '../routes.ts'
import { parametersOf } from './parameters.ts'
import { attributesSchema, ERROR_SCHEMA, schemaName, TOO_MANY_SCHEMA, withProperties } from './schemas.ts'
import { SECURITY_SCHEMES, securityWith } from './security.ts'
import { webhooksOf } from './webhooks.ts'
import { whatItDoes } from './what-it-does.ts'
import { withWideIds } from './wide-ids.ts'

const json = (schema: unknown): JsonObject => ({ 'application/json': { schema: schema as Json } })
const ref = (kind: 'schemas' | 'responses', name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** Whether a filter of a list takes certain words only. */
const hasWords = ({ filters }: ListOperation): boolean => Object.values(filters).some(({ among }) => among)

/** Returns the refusals that an operation can answer with. */
const failures = ({ operation }: Route): JsonObject => ({
  401: ref('responses', 'Unauthenticated'),
  403: ref('responses', 'Forbidden'),
  429: ref('responses', 'TooManyRequests'),
  503: ref('responses', 'Unavailable'),
  400: ref('responses', 'BadRequest'),
  ...(operation.path.includes('{') && { 404: ref('responses', 'NotFound') }),
  ...(operation.kind === 'write' && {
    409: ref('responses', 'Conflict'),
    412: ref('responses', 'PreconditionFailed'),
    413: ref('responses', 'PayloadTooLarge'),
    415: ref('responses', 'UnsupportedMediaType'),
    422: ref('responses', 'Unprocessable'),
  }),
  ...((operation.kind === 'list'
    ? operation.select || hasWords(operation)
    : operation.kind === 'read' && (operation.categoryBy || operation.unprocessable)) && {
    422: ref('responses', 'Unprocessable'),
  }),
  ...(operation.kind === 'read' &&
    operation.body && {
      409: ref('responses', 'Conflict'),
      413: ref('responses', 'PayloadTooLarge'),
      415: ref('responses', 'UnsupportedMediaType'),
      422: ref('responses', 'Unprocessable'),
    }),
})

const REFUSALS: Readonly<Record<string, string>> = {
  BadRequest: 'The request is malformed',
  Unauthenticated: 'The API key is missing, invalid or revoked; the Link header says where to read on',
  Forbidden: 'The token lacks a scope; the Link header says where to read on',
  NotFound: 'There is no such record within reach of the token',
  Conflict: 'The state of the record forbids it',
  PreconditionFailed: 'The record has changed since the given ETag',
  PayloadTooLarge: 'The body is too large',
  UnsupportedMediaType: 'The body is in another charset than UTF-8',
  Unprocessable: 'A rule forbids it; details name the fields',
  Unavailable: 'Something that the answer depends on is out of reach; try again',
  TooManyRequests:
    'The limit of the token is reached, or that of requests without a valid one from an address; Retry-After says when to go on',
}

const CUT: JsonObject = {
  'Millrace-Cut': {
    schema: { type: 'string' },
    description: 'Names of the deps of which only the first 1,000 records are shown, when there are more',
  },
}

const LIST_HEADERS: JsonObject = {
  'Pagination-Next': {
    schema: { type: 'string' },
    description:
      '`after` of the next page, when there is more: the id of the last record or, in another order than by id, an opaque text',
  },
  Link: { schema: { type: 'string' }, description: 'URL of the next page, when there are more' },
}

const wrapped = ({ envelope }: ListOperation, array: JsonObject): JsonObject =>
  envelope === undefined ? array : { type: 'object', properties: { [envelope]: array }, required: [envelope] }

const success = ({ operation, resource }: Route): JsonObject => {
  const one = ref('schemas', `${schemaName(resource)}Attributes`)
  const reveals = operation.kind === 'write' ? operation.reveals : undefined
  const shows = operation.kind === 'write' ? operation.shows : undefined
  const shown = shows
    ? (shows.schema as unknown as JsonObject)
    : reveals
      ? (withProperties(attributesSchema(resource), reveals.schema) as unknown as JsonObject)
      : one
  const isBefore = operation.kind === 'write' && operation.showsBefore
  const item = (description: string): JsonObject => ({
    description,
    headers: {
      ...(!isBefore && { ETag: { schema: { type: 'string' }, description: 'Revision of the record' } }),
      ...CUT,
    },
    content: json(shown),
  })
  switch (operation.kind) {
    case 'list':
      return {
        200: {
          description: operation.paged === 'never' ? 'All of them' : 'A page of at most 20',
          headers: { ...(operation.paged !== 'never' && LIST_HEADERS), ...CUT },
          content: json(wrapped(operation, { type: 'array', items: one })),
        },
      }
    case 'show':
      return { 200: item('The record') }
    case 'read':
      return {
        200: {
          description: operation.pagedBy ? 'A page of at most 20' : 'What was asked for',
          ...(operation.pagedBy && { headers: LIST_HEADERS }),
          content: json(operation.schema),
        },
      }
    case 'write':
      if (operation.answers === 204) return { 204: { description: 'Done' } }
      return {
        [operation.answers]: item(
          operation.answers === 201 ? 'The new record' : isBefore ? 'The record as it was' : 'The record as it now is',
        ),
        ...(operation.upsert && { 200: item('The record that was there, as it now is') }),
        ...(operation.instead &&
          operation.instead.answers !== operation.answers && {
            [operation.instead.answers]: { description: 'Nothing to do', content: json(operation.instead.schema) },
          }),
        ...(operation.settled && { 200: item('The record, for which it has been done already') }),
      }
  }
}

const bodyOf = ({ operation }: Route): JsonObject => {
  if (!('body' in operation) || !operation.body) return {}
  const { root, fields, mode, optional = false } = operation.body
  const inner = requestSchema(fields, mode)
  const schema = root === null ? inner : Type.Object({ [root]: optional ? Type.Optional(inner) : inner })
  return { requestBody: { required: root !== null && !optional, content: json(schema) } }
}

const OF_TEAM = 'Takes a token of the team: one of a single workspace is answered 403.'

const VERBS: Readonly<Record<string, string>> = { list: 'List', show: 'Get', read: 'Read' }

const operationObject = (route: Route, method: string): JsonObject => {
  const { operation, operationId, resource } = route
  const twin = method !== route.method
  return {
    operationId: twin ? `${operationId}_${method.toLowerCase()}` : operationId,
    tags: [resource.title],
    summary: operation.summary ?? `${VERBS[operation.kind] ?? verbOf(route)} ${resource.title}`,
    ...aboutTokens(route),
    security: securityWith(accessTo(route).map(scopeOf)),
    parameters: parametersOf(route) as readonly Json[],
    ...bodyOf(route),
    responses: { ...success(route), ...failures(route) },
    ...whatItDoes(route),
    ...(operation.beyondContract && { 'x-beyond-contract': true }),
  }
}

/** Describes how the answer depends on the token, besides the scope that the operation needs. */
const aboutTokens = ({ operation, resource }: Route): JsonObject => {
  if (operation.ofTeam) return { description: OF_TEAM }
  if (resource.subjectField === undefined) return {}
  const says =
    operation.kind === 'list'
      ? 'Those whose subject the token has no scope to read are left out.'
      : 'Takes the scope to read its subject as well: 403 without it.'
  return { description: `${says} What their data carry of a person is blank without contacts:read.` }
}

const verbOf = ({ operation }: Route): string =>
  operation.method === 'POST' ? 'Create' : operation.method === 'DELETE' ? 'Remove' : 'Change'

type Paths = Record<string, Record<string, Json>>

const describing = function* (routes: readonly Route[], resources: readonly Resource[]): Steps<JsonObject> {
  const paths: Paths = {}
  for (const route of routes) {
    const path = PREFIX + route.path
    const item = paths[path] ?? {}
    paths[path] = item
    for (const method of [route.method, ...route.alsoMethods])
      item[method.toLowerCase()] = withWideIds(operationObject(route, method))
    yield
  }
  const schemas: Record<string, Json> = { Error: ERROR_SCHEMA as unknown as Json }
  for (const resource of resources) {
    if (Object.keys({ ...resource.operations, ...resource.publishes }).length === 0) continue
    schemas[`${schemaName(resource)}Attributes`] = withWideIds(attributesSchema(resource) as unknown as Json)
    yield
  }
  return documentOf(paths, schemas, routes, resources)
}

/**
 * Returns the OpenAPI 3.1 document of these resources and their routes (spec 1). Its server is relative to the one that the document was read
 * from. Resources without operations are in it when webhooks are about them.
 */
export const openapiOf = (routes: readonly Route[], resources: readonly Resource[]): JsonObject =>
  atOnce(describing(routes, resources))

/** Returns the same document. It is made in several turns of the event loop. */
export const openapiInTurns = (routes: readonly Route[], resources: readonly Resource[]): Promise<JsonObject> =>
  inSlices(describing(routes, resources))

const documentOf = (
  paths: Paths,
  schemas: JsonObject,
  routes: readonly Route[],
  resources: readonly Resource[],
): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Millrace API', version: '2.0.0', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: '/' }],
  tags: [...new Set(routes.map(({ resource }) => resource.title))].map((name) => ({ name })),
  paths,
  webhooks: withWideIds(webhooksOf(eventTypesOf(resources))),
  components: {
    securitySchemes: SECURITY_SCHEMES,
    schemas,
    responses: Object.fromEntries(
      Object.entries(REFUSALS).map(([name, description]) => [
        name,
        { description, content: json(name === 'TooManyRequests' ? TOO_MANY_SCHEMA : ref('schemas', 'Error')) },
      ]),
    ),
  },
})
