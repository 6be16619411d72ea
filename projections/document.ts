import type { Document } from '../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import { parseStream } from '../domain/kernel/values/stream-name.ts'
import { type Resource, spellingOf } from '../domain/resources/resource.ts'

/** Ids of a resource's documents that an event changes. */
export const documentsTouched = ({ documents }: Resource, event: RecordedEvent): readonly number[] =>
  documents.fold.touched(event, parseStream(event.stream).id)

/** The document after an event with personal data in the clear, or `undefined` when there is none (any more). */
export const documentAfter = (
  resource: Resource,
  before: Document | undefined,
  event: RecordedEvent,
  id: number,
  publicIds: PublicIds,
): Document | undefined => resource.documents.fold.apply(before, event, id, publicIds.of(spellingOf(resource)).encode)
