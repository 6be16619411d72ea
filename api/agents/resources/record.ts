import type { Json, JsonObject } from '../../../domain/kernel/values/event.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import type { Access } from '../../../domain/kernel/values/scopes.ts'
import type { Route } from '../../routes.ts'
import type { Agent } from '../agent.ts'
import { carryOutOrEnd } from '../calls/carry-out.ts'
import { changesOf } from './changes.ts'

const SHOW = /^\/([a-z_/]+)\/\{id\}$/

/** Kinds of pages, which are all served as pages. */
const PAGES: ReadonlySet<string> = new Set(['external_page', 'custom_html_page', 'page'])

/** Returns the kind of the records that an operation shows, as its path has it: `/emails/broadcasts/{id}` shows `emails.broadcasts`. */
const kindOf = ({ operation, path }: Route): string | undefined =>
  operation.kind === 'show' ? SHOW.exec(path)?.[1]?.replaceAll('/', '.') : undefined

/** Returns the operation that shows records of a kind. */
const showFor = ({ catalogue }: Agent, kind: string): Route | undefined => {
  const wanted = PAGES.has(kind) ? 'pages' : kind.replaceAll('/', '.')
  return catalogue.routes.find((route) => kindOf(route) === wanted)
}

/** Returns the access that it takes to see records of a kind. */
export const accessToKind = (agent: Agent, kind: string): readonly Access[] => {
  const route = showFor(agent, kind)
  return route ? [{ category: route.category, level: 'read' }] : []
}

/** Returns the operation that shows records of a kind. @throws {Refusal} not found */
const showOf = (agent: Agent, kind: string): Route => {
  const found = showFor(agent, kind)
  if (found) return found
  const kinds = agent.catalogue.routes.flatMap((route) => kindOf(route) ?? [])
  throw refuse.notFound(`There are no records of this kind; there are ${kinds.join(', ')}`)
}

/** Returns a record and what changed in it, the newest change first. @throws {Declined} when the agent may not see it */
export const recordWithHistory = async (agent: Agent, kind: string, id: string, most = 20): Promise<JsonObject> => {
  const route = showOf(agent, kind)
  const query: JsonObject = PAGES.has(kind) ? { 'expand[]': ['markup'] } : {}
  const record: Json = await carryOutOrEnd(agent, route.operationId, { path: { id }, query })
  return { record, changes: await changesOf(agent, route.resource, id, most) }
}
