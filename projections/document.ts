import { parseStream } from '../domain/kernel/decider.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { Document } from '../domain/kernel/ports/read-models.ts'
import type { PublicIds } from '../domain/kernel/public-ids.ts'
import { type Resource, spellingOf } from '../domain/kernel/resource.ts'

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
  const { revision: rev } = event
  if (before) return { ...after, id, updated_at: at, rev }
  const public_id = publicIds.of(spellingOf(resource)).encode(id)
  // Written out, and in this order, because it is the first document of most rebuilds: adding fields to a copy, or by
  // Object.assign, makes an object that V8 copies ten times slower from then on.
  return workspace_id === undefined
    ? { id, public_id, team_id, created_at: at, updated_at: at, rev, ...after }
    : { id, public_id, team_id, workspace_id, created_at: at, updated_at: at, rev, ...after }
}
