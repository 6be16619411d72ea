import type { Place } from '../domain/kernel/decide/bound-reader.ts'
import type { Document, Where } from '../domain/kernel/ports/read-models.ts'
import { refuse } from '../domain/kernel/values/refusal.ts'
import { allows } from '../domain/kernel/values/scopes.ts'
import { missingScope } from '../domain/resources/missing-scope.ts'
import type { Caller } from '../domain/resources/operation.ts'
import type { Resource } from '../domain/resources/resource.ts'

type Resources = ReadonlyMap<string, Resource>

/** Whether a token reaches a document: one of its team and, for a token of one workspace, of that workspace. Nothing else decides this. */
export const withinReach = (caller: Caller, document: Document): boolean =>
  document.team_id === caller.teamId &&
  (caller.workspaceId === null || document.workspace_id === undefined || document.workspace_id === caller.workspaceId)

/**
 * Returns the document if it exists and is within reach.
 *
 * @throws {Refusal} not found. A record out of reach looks exactly like a missing one
 */
export const reachable = (resource: Resource, document: Document | undefined, caller: Caller): Document => {
  if (document && withinReach(caller, document)) return document
  throw refuse.notFound(resource.missing)
}

const mayRead = (caller: Caller, subject: Resource | undefined): boolean =>
  subject !== undefined && allows(caller.scopes, subject.category, 'read')

/** Checks that the token's scopes allow to read the subject of a document. @throws {Refusal} forbidden, when they do not */
export const requireSubjectScope = (
  resources: Resources,
  { subjectField }: Resource,
  document: Document,
  caller: Caller,
): void => {
  if (subjectField === undefined) return
  const subject = resources.get(String(document[subjectField]))
  if (!mayRead(caller, subject)) throw missingScope(subject ? `${subject.category}:read` : 'read')
}

/** Returns a condition that leaves out documents whose subject the token's scopes do not allow to read. */
export const subjectFilter = (resources: Resources, { subjectField }: Resource, caller: Caller): Where => {
  if (subjectField === undefined) return {}
  const subjects = [...resources.values()].filter(({ publishes }) => publishes)
  const readable = subjects.filter((subject) => mayRead(caller, subject))
  return readable.length === subjects.length ? {} : { [subjectField]: { $in: readable.map(({ name }) => name) } }
}

/** Returns the place that a request acts on: the workspace of the record that it names, or that of the token; else the whole team. */
export const placeFor = ({ teamId, workspaceId }: Caller, record: Document | undefined): Place => ({
  teamId,
  workspaceId: typeof record?.workspace_id === 'number' ? record.workspace_id : (workspaceId ?? undefined),
})
