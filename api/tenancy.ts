import type { Document, Where } from '../domain/kernel/ports/read-models.ts'
import { type Refusal, refuse } from '../domain/kernel/values/refusal.ts'
import { allows } from '../domain/kernel/values/scopes.ts'
import type { Caller } from '../domain/resources/operation.ts'
import type { Resource } from '../domain/resources/resource.ts'

type Resources = ReadonlyMap<string, Resource>

/** Whether a token reaches a document: its team's, and its workspace's where it has only one. The one place that decides this. */
export const withinReach = (caller: Caller, document: Document): boolean =>
  document.team_id === caller.teamId &&
  (caller.workspaceId === null || document.workspace_id === undefined || document.workspace_id === caller.workspaceId)

/**
 * The document if it is there and within reach.
 *
 * @throws {Refusal} not found: a record of somebody else looks exactly like none at all
 */
export const reachable = (resource: Resource, document: Document | undefined, caller: Caller): Document => {
  if (document && withinReach(caller, document)) return document
  throw refuse.notFound(resource.missing)
}

/** Why a token may not do what takes a scope. */
export const lacking = (scope: string): Refusal =>
  refuse.forbidden(`this token lacks the scope ${scope}`, 'scope', 'scope')

const mayRead = (caller: Caller, told: Resource | undefined): boolean =>
  told !== undefined && allows(caller.scopes, told.category, 'read')

/** @throws {Refusal} forbidden, where a document tells of a record that the token's scopes do not allow to read */
export const requireSubjectScope = (
  resources: Resources,
  { subjectField }: Resource,
  document: Document,
  caller: Caller,
): void => {
  if (subjectField === undefined) return
  const told = resources.get(String(document[subjectField]))
  if (!mayRead(caller, told)) throw lacking(told ? `${told.category}:read` : 'read')
}

/** What leaves out of a list what tells of records that the token's scopes do not allow to read. */
export const subjectFilter = (resources: Resources, { subjectField }: Resource, caller: Caller): Where => {
  if (subjectField === undefined) return {}
  const telling = [...resources.values()].filter(({ publishes }) => publishes)
  const readable = telling.filter((told) => mayRead(caller, told))
  return readable.length === telling.length ? {} : { [subjectField]: { $in: readable.map(({ name }) => name) } }
}
