import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { allows } from '../../../domain/kernel/values/scopes.ts'
import type { Agent } from '../agent.ts'
import { TOOLS } from '../tools/index.ts'

/** Returns the messages of a body. Earlier protocols may send several at once. */
export const messagesIn = (body: Json): readonly JsonObject[] =>
  (Array.isArray(body) ? body : [body]).filter(isJsonObject)

/** Returns the message of a body that begins a session. */
export const beginningIn = (body: Json): JsonObject | undefined =>
  messagesIn(body).find(({ method }) => method === 'initialize')

/** Whether the client that begins a session can ask its user. */
export const canAsk = ({ params }: JsonObject): boolean =>
  isJsonObject(params) && isJsonObject(params.capabilities) && isJsonObject(params.capabilities.elicitation)

/** Returns the answers in a body to what the client was asked. */
export const answersIn = (body: Json): readonly JsonObject[] =>
  messagesIn(body).filter(({ method, id }) => method === undefined && id !== undefined)

const neededBy = (agent: Agent, { method, params }: JsonObject): readonly string[] => {
  if (method !== 'tools/call' || !isJsonObject(params)) return []
  const tool = TOOLS.find(({ name }) => name === params.name)
  if (!tool) return []
  const input = isJsonObject(params.arguments) ? params.arguments : {}
  // The input has not been checked yet, and one that is wrong is refused later.
  if (tool.schema.required?.some((name) => input[name] === undefined)) return []
  const { scopes } = agent.access.caller
  return tool
    .needs(input, agent)
    .filter(({ category, level }) => !allows(scopes, category, level))
    .map(({ category, level }) => `${category}:${level}`)
}

/** Returns the scopes that the calls in a body take and the token lacks. */
export const missingScopes = (agent: Agent, body: Json): readonly string[] => [
  ...new Set(messagesIn(body).flatMap((message) => neededBy(agent, message))),
]
