import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { allows } from '../../../domain/kernel/values/scopes.ts'
import type { Agent } from '../agent.ts'
import { TOOLS } from '../tools/index.ts'

/** Returns the messages of a body. Earlier protocols may send several at once. */
export const messagesIn = (body: Json): readonly JsonObject[] =>
  (Array.isArray(body) ? body : [body]).filter(isJsonObject)

/** Whether a body begins a session. */
export const begins = (body: Json): boolean => messagesIn(body).some(({ method }) => method === 'initialize')

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
