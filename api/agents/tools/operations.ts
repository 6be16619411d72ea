import { Type } from 'typebox'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { type Access, scopeOf } from '../../../domain/kernel/values/scopes.ts'
import { objectionTo } from '../../handlers/authenticate.ts'
import { accessTo, type Route } from '../../routes.ts'
import type { Agent } from '../agent.ts'
import { type Answer, answerOf } from '../calls/answer.ts'
import { carryOut, queryOf, routeOf, type Sent } from '../calls/carry-out.ts'
import { kept } from '../calls/kept.ts'
import { questionAbout } from '../calls/question.ts'
import { whenItAsks } from '../consequences.ts'
import { describe } from '../describe.ts'
import { search } from '../search.ts'
import { tool } from './tool.ts'

const operationId = Type.String({ description: 'Name of an operation, as search_operations gives it' })
const json = Type.Object({}, { additionalProperties: true })

const SENT = {
  operation_id: operationId,
  path: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: 'Ids of the path by name; workspace_id may be left out' },
    ),
  ),
  query: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Query parameters, such as {"filter": {"tag_ids": [1]}, "after": 20}',
      },
    ),
  ),
}

/** Arguments of a call of an operation, as they were checked. */
interface CallInput {
  readonly operation_id: string
  readonly path?: object
  readonly query?: object
  readonly body?: object
}

// They come from JSON.
const sentIn = ({ path, query, body }: CallInput): Sent => ({
  ...(path && { path: path as JsonObject }),
  ...(query && { query: query as JsonObject }),
  ...(body && { body: body as JsonObject }),
})

/** Returns the access that a call takes. A call of no operation takes none: it only says so. */
const needsOf = (input: CallInput, { catalogue }: Agent): readonly Access[] => {
  const route = catalogue.byId.get(input.operation_id)
  return route ? accessTo(route, queryOf(sentIn(input).query ?? {})) : []
}

/** Whether an operation never writes. What may store something does, whatever scope it takes. */
const isReading = ({ level, operation }: Route): boolean => level === 'read' && operation.kind !== 'write'

const wrongTool = (name: string): Answer => ({
  says: { error: `This operation is called with ${name}.` },
  isError: true,
})

const FOUND = Type.Object({
  operation_id: Type.String(),
  call_with: Type.String({ description: 'Name of a tool' }),
  method: Type.String(),
  path: Type.String(),
  about: Type.String(),
  summary: Type.Optional(Type.String()),
  scope: Type.String({ description: 'What it takes' }),
  allowed: Type.Boolean({ description: 'false: every call is refused' }),
})

export const searchOperations = tool({
  name: 'search_operations',
  title: 'Search operations',
  description:
    'Finds operations of the Millrace API by words: what they are about (contacts, orders, funnels, pages, mails, courses, …) and what they do. There are about 500; begin here when no other tool fits.',
  input: {
    query: Type.String({ description: 'Words, such as "tag contact" or "refund"', maxLength: 200 }),
    level: Type.Optional(Type.Union([Type.Literal('read'), Type.Literal('write')])),
  },
  says: { operations: Type.Array(FOUND) },
  level: 'read',
  needs: () => [],
  run: async ({ query, level }, { agent }) => ({
    says: {
      operations: search(agent.catalogue.routes, query, level).map((route) => ({
        operation_id: route.operationId,
        call_with: isReading(route) ? 'call_read_operation' : 'call_write_operation',
        method: route.method,
        path: route.path,
        about: route.resource.title,
        ...(route.operation.summary !== undefined && { summary: route.operation.summary }),
        scope: accessTo(route).map(scopeOf).join(' '),
        allowed: objectionTo(agent.access.caller, route) === undefined,
      })),
    },
  }),
})

export const describeOperation = tool({
  name: 'describe_operation',
  title: 'Describe an operation',
  description: 'Returns parameters, body and answer of an operation as JSON schemas. Read it before calling one.',
  input: { operation_id: operationId },
  says: {
    operation_id: Type.Optional(Type.String()),
    asks_first: Type.Optional(Type.Unknown({ description: 'When the user is asked first' })),
  },
  data: 'Method, path, parameters, body and answer',
  level: 'read',
  needs: () => [],
  run: async ({ operation_id }, { agent }) => {
    const route = routeOf(agent, operation_id)
    const asksFirst = whenItAsks(route)
    return {
      says: { operation_id, ...(asksFirst !== undefined && { asks_first: asksFirst }) },
      data: await describe(agent.catalogue, route),
    }
  },
})

export const callReadOperation = tool({
  name: 'call_read_operation',
  title: 'Call a reading operation',
  description: 'Calls an operation that changes nothing, and returns its answer.',
  input: SENT,
  data: 'The answer of the operation',
  level: 'read',
  needs: needsOf,
  async run(input, { agent }) {
    const route = routeOf(agent, input.operation_id)
    if (!isReading(route)) return wrongTool('call_write_operation')
    return answerOf(await carryOut(agent, route.operationId, sentIn(input)))
  },
})

export const callWriteOperation = tool({
  name: 'call_write_operation',
  title: 'Call a writing operation',
  description:
    'Calls an operation that changes something. What cannot be taken back, or reaches many people, asks the user first, or answers a code to send again once they said yes.',
  input: { ...SENT, body: Type.Optional(json) },
  data: 'The answer of the operation, or what it would do',
  level: 'write',
  needs: needsOf,
  async question(input, agent, isForProgram) {
    const route = routeOf(agent, input.operation_id)
    return isReading(route) ? undefined : questionAbout(agent, route, sentIn(input), isForProgram)
  },
  async run(input, { agent, key }) {
    const route = routeOf(agent, input.operation_id)
    if (isReading(route)) return wrongTool('call_read_operation')
    return answerOf(await carryOut(agent, route.operationId, sentIn(input), key))
  },
})

export const resultOfCall = tool({
  name: 'result_of_call',
  title: 'Result of a long call',
  description: 'Returns the answer of a call that took too long and gave a handle.',
  input: { handle: Type.String({ maxLength: 64 }) },
  data: 'As in the answer of the call',
  level: 'read',
  needs: () => [],
  run: async ({ handle }, { agent }) =>
    (await kept(agent, handle)) ?? {
      says: { error: 'There is no call with this handle, or it was more than ten minutes ago.' },
      isError: true,
    },
})
