import type { Document } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import { parseStream } from '../domain/kernel/values/stream-name.ts'
import { publicIdResourceOf, type Resource } from '../domain/resources/resource.ts'

/** Returns the ids of a resource's documents that an event changes. */
export const documentsTouched = ({ documents }: Resource, event: RecordedEvent): readonly number[] =>
  documents.fold.touched(event, parseStream(event.stream).id)

/** Returns the document after an event with personal data in the clear, or `undefined` when there is none (any more). */
export const documentAfter = (
  resource: Resource,
  before: Document | undefined,
  event: RecordedEvent,
  id: number,
  publicIds: PublicIds,
): Document | undefined =>
  resource.documents.fold.apply(before, event, id, publicIds.of(publicIdResourceOf(resource)).encode)

/** Returns the streams of other aggregates that have set the time of a document's change. */
export const joinedFrom = ({ joined_from }: Document): readonly string[] =>
  Array.isArray(joined_from) ? joined_from.map(String) : []
