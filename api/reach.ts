import type { Document } from '../domain/kernel/ports/read-models.ts'
import { refuse } from '../domain/kernel/refusal.ts'
import type { Caller } from '../domain/kinds/operation.ts'
import type { Resource } from '../domain/kinds/resource.ts'

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
