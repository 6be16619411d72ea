import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { refusalIn, refuse } from '../../../domain/kernel/values/refusal.ts'
import { parseInTurns } from '../../../projections/page-text.ts'
import { renderRefusal } from '../../errors.ts'
import { operate } from '../../handlers/operate.ts'
import type { Reply } from '../../handlers/request.ts'
import type { Route } from '../../routes.ts'
import { PREFIX } from '../../routes.ts'
import type { Agent } from '../agent.ts'

/** What an operation is called with. */
export interface Sent {
  readonly path?: JsonObject
  readonly query?: JsonObject
  readonly body?: Json
}

/** Answer of an operation, refusals included. */
export interface Outcome {
  readonly status: number
  readonly body: Json | undefined
  readonly headers: Readonly<Record<string, string>>
}

export const isDone = ({ status }: Outcome): boolean => status < 400

/** Returns the operation of that name. @throws {Refusal} not found */
export const routeOf = ({ catalogue }: Agent, operationId: string): Route => {
  const route = catalogue.byId.get(operationId)
  if (!route) throw refuse.notFound('There is no operation of this name; search_operations finds their names')
  return route
}

const PARAMETER = /\{([^}]+)\}/g

/** Returns the parameters of a path. That of the workspace may be left out: an agent has only one. @throws {Refusal} malformed */
const paramsOf = ({ access }: Agent, { path, resource }: Route, sent: JsonObject): Record<string, string> => {
  const params: Record<string, string> = {}
  for (const [, name = ''] of path.matchAll(PARAMETER)) {
    const own = name === 'workspace_id' || (name === 'id' && resource.name === 'workspace')
    const value = sent[name] ?? (own ? access.workspaceId : undefined)
    if (typeof value !== 'string' && typeof value !== 'number')
      throw refuse.malformed(`path.${name} must be an id`, `path.${name}`, 'missing')
    params[name] = String(value)
  }
  return params
}

const append = (query: URLSearchParams, name: string, value: Json): void => {
  if (Array.isArray(value)) for (const one of value) append(query, name.endsWith('[]') ? name : `${name}[]`, one)
  else if (isJsonObject(value))
    for (const [key, one] of Object.entries(value)) append(query, `${name}[${key}]`, one ?? null)
  else if (value !== null) query.append(name, String(value))
}

/** Returns parameters as a query string has them. */
export const queryOf = (sent: JsonObject): URLSearchParams => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(sent)) append(query, name, value ?? null)
  return query
}

/** Returns the paths of numbers below `arguments.body` of a message. */
const lossyInBody = ({ lossyNumbers }: Agent) =>
  lossyNumbers.flatMap((path) => {
    const at = path.indexOf('params')
    return path[at + 1] === 'arguments' && path[at + 2] === 'body' ? [path.slice(at + 3)] : []
  })

/** Returns the method and the address that a call of an operation has on the API. */
export const targetOf = (agent: Agent, route: Route, { path = {}, query = {} }: Sent): string => {
  const params = paramsOf(agent, route, path)
  const search = queryOf(query).toString()
  const filled = route.path.replace(PARAMETER, (_, name: string) => encodeURIComponent(params[name]!))
  return `${PREFIX}${filled}${search === '' ? '' : `?${search}`}`
}

const bodyIn = async ({ body, text }: Reply): Promise<Json | undefined> =>
  text === undefined ? body : parseInTurns(text)

/** Returns how an error reads on the API. Of a mistake of the service only the log has more. */
const outcomeOf = ({ service, requestId }: Agent, route: Route, error: unknown): Outcome => {
  const refusal = refusalIn(error)
  if (!refusal) {
    service.logger.error({ err: error, request_id: requestId, operation: route.operationId }, 'call of an agent failed')
    return { status: 500, body: undefined, headers: {} }
  }
  return renderRefusal(refusal, requestId)
}

/**
 * Carries out an operation for an agent, on the path that its HTTP request would take.
 *
 * @param key makes a write repeatable
 */
export const carryOut = async (agent: Agent, operationId: string, sent: Sent, key?: string): Promise<Outcome> => {
  const route = routeOf(agent, operationId)
  const { service, access, requestId } = agent
  const told: string[] = []
  try {
    const { path = {}, query = {}, body } = sent
    const reply = await operate(service, route, {
      params: paramsOf(agent, route, path),
      query: queryOf(query),
      headers: { prefer: 'handling=strict', ...(key !== undefined && { 'idempotency-key': key }) },
      caller: access.caller,
      requestId,
      origin: () => service.accountsUrl,
      target: targetOf(agent, route, sent),
      readBody: () => ({ body, lossyNumbers: lossyInBody(agent) }),
      told,
    })
    return { status: reply.status, body: await bodyIn(reply), headers: reply.headers ?? {} }
  } catch (error) {
    return outcomeOf(agent, route, error)
  }
}

/** Refusal of an operation of a task, which ends the task. */
export class Declined extends Error {
  readonly operationId: string
  readonly outcome: Outcome

  constructor(operationId: string, outcome: Outcome) {
    super(`${operationId} was refused with ${outcome.status}`)
    this.operationId = operationId
    this.outcome = outcome
  }
}

/** Carries out an operation of a task. @throws {Declined} when it is refused */
export const carryOutOrEnd = async (...asked: Parameters<typeof carryOut>): Promise<Json> => {
  const outcome = await carryOut(...asked)
  if (!isDone(outcome)) throw new Declined(asked[1], outcome)
  return outcome.body ?? null
}
