import { Type } from 'typebox'
import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { type Access, allows, type Category } from '../../../domain/kernel/values/scopes.ts'
import type { Agent } from '../agent.ts'
import { carryOutOrEnd, type Sent } from '../calls/carry-out.ts'

/** An id of a record, as number or public id. */
export const idOf = (about: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ maxLength: 40 })], { description: about })

export const after = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Next page, as an earlier answer said it' }),
)

/** Parts that an answer leaves out, each with the scope that it takes. */
export const LEFT_OUT = Type.Optional(Type.Record(Type.String(), Type.String()))

export const mayRead = (category: Category): Access => ({ category, level: 'read' })
export const mayWrite = (category: Category): Access => ({ category, level: 'write' })

/** Returns the records in an answer. */
export const recordsIn = (answer: Json): readonly JsonObject[] => {
  const array = isJsonObject(answer) ? Object.values(answer).find((value) => Array.isArray(value)) : answer
  return Array.isArray(array) ? array.filter(isJsonObject) : []
}

/** Returns the records of a list, at most a page of them. */
export const listed = async (agent: Agent, operationId: string, sent: Sent): Promise<readonly JsonObject[]> =>
  recordsIn(await carryOutOrEnd(agent, operationId, sent))

/** Returns one record. */
export const one = async (agent: Agent, operationId: string, id: Json): Promise<JsonObject> => {
  const found = await carryOutOrEnd(agent, operationId, { path: { id } })
  return isJsonObject(found) ? found : {}
}

/** Part of an answer that takes an access of its own. */
interface Part {
  readonly access: Access
  read(): Promise<Json>
}

/** Returns the parts of an answer that the agent may see, and the scopes of those that it may not. */
export const partsFor = async (
  { access }: Agent,
  parts: Readonly<Record<string, Part>>,
): Promise<{ readonly data: JsonObject; readonly leftOut: JsonObject }> => {
  const data: Record<string, Json> = {}
  const missing: Record<string, Json> = {}
  for (const [name, { access: needed, read }] of Object.entries(parts)) {
    if (allows(access.caller.scopes, needed.category, needed.level)) data[name] = await read()
    else missing[name] = `${needed.category}:${needed.level}`
  }
  return { data, leftOut: Object.keys(missing).length > 0 ? { left_out_without_scope: missing } : {} }
}
