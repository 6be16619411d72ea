import { parseStream } from '../domain/kernel/decider.ts'
import type { JsonObject, RecordedEvent } from '../domain/kernel/event.ts'
import type { PublicIds } from '../domain/kernel/id.ts'
import type { Document } from '../domain/kernel/ports/read-models.ts'
import type { Resource } from '../domain/kernel/resource.ts'

/** Ids of a resource's documents that an event changes. */
export const documentsTouched = (resource: Resource, event: RecordedEvent): readonly number[] => {
  const { id } = parseStream(event.stream)
  return resource.documents.touches?.(event, id) ?? [id]
}

/**
 * The document after an event with personal data in the clear, or `undefined` when there is none (any more). The one place
 * that adds what every document has: ids, owner, times, and `rev`, the revision of the newest event in it.
 */
export const documentAfter = (
  resource: Resource,
  before: Document | undefined,
  event: RecordedEvent,
  id: number,
  publicIds: PublicIds,
): Document | undefined => {
  const after = resource.documents.evolve(before, event, id)
  if (after === undefined) return undefined
  const { at, team_id, workspace_id } = event.metadata
  // Overwriting fields in a copy is fifty times quicker than adding some, which is why the two cases are apart.
  if (before) return { ...after, id, updated_at: at, rev: event.revision }
  const envelope: JsonObject = { id, public_id: publicIds.encode(id), created_at: at, updated_at: at }
  const owner: JsonObject = {
    ...(team_id !== undefined && { team_id }),
    ...(workspace_id !== undefined && { workspace_id }),
  }
  return Object.assign({}, after, envelope, owner, { rev: event.revision }) as unknown as Document
}
