import { Check } from 'typebox/value'
import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Access } from '../../../domain/kernel/values/scopes.ts'
import { allows } from '../../../domain/kernel/values/scopes.ts'
import type { Agent } from '../agent.ts'
import { accessToKind } from '../resources/record.ts'
import { TOOLS } from '../tools/index.ts'

/** Returns the messages of a body. Earlier protocols may send several at once. */
export const messagesIn = (body: Json): readonly JsonObject[] =>
  (Array.isArray(body) ? body : [body]).filter(isJsonObject)

/** Returns the message of a body that begins a session. */
export const beginningIn = (body: Json): JsonObject | undefined =>
  messagesIn(body).find(({ method }) => method === 'initialize')

/** Returns a message that asks for a list to go on at a cursor. None is ever given out: each list is in one piece. */
export const withUnknownCursor = (body: Json): JsonObject | undefined =>
  messagesIn(body).find(
    ({ method, params }) =>
      typeof method === 'string' &&
      method.endsWith('/list') &&
      isJsonObject(params) &&
      typeof params.cursor === 'string',
  )

/** Whether the client that begins a session can ask its user. */
export const canAsk = ({ params }: JsonObject): boolean =>
  isJsonObject(params) && isJsonObject(params.capabilities) && isJsonObject(params.capabilities.elicitation)

/** Returns the answers in a body to what the client was asked. */
export const answersIn = (body: Json): readonly JsonObject[] =>
  messagesIn(body).filter(({ method, id }) => method === undefined && id !== undefined)

const RECORD = /^millrace:\/\/record\/([^/]{1,100})\/[^/]+$/

/** Returns the accesses that a message takes. */
const neededBy = (agent: Agent, { method, params }: JsonObject): readonly Access[] => {
  if (!isJsonObject(params)) return []
  if (method === 'resources/read') {
    const kind = RECORD.exec(String(params.uri))?.[1]
    return kind === undefined ? [] : accessToKind(agent, kind)
  }
  const tool = method === 'tools/call' ? TOOLS.find(({ name }) => name === params.name) : undefined
  if (!tool) return []
  const input = isJsonObject(params.arguments) ? params.arguments : {}
  // One that is wrong is refused later, with what is wrong.
  return Check(tool.schema, input) ? tool.needs(input, agent) : []
}

/** Returns the scopes that the messages in a body take and the token lacks. */
export const missingScopes = (agent: Agent, body: Json): readonly string[] => {
  const { scopes } = agent.access.caller
  const missing = messagesIn(body)
    .flatMap((message) => neededBy(agent, message))
    .filter(({ category, level }) => !allows(scopes, category, level))
  return [...new Set(missing.map(({ category, level }) => `${category}:${level}`))]
}
