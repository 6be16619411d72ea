import type { Write } from '../kernel/engine/write.ts'
import type { Origin } from '../kernel/react/publication.ts'
import type { JsonObject, RecordedEvent } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import type { PastSubject } from '../resources/view-types.ts'
import type { EventType } from './catalog.ts'

/** Event for webhook subscribers and workflow triggers. */
export interface PublicEvent {
  readonly type: EventType
  /** Its subject as it was after the write. */
  readonly subject: PastSubject
  /** The recorded event that caused it; the first one if there are several. */
  readonly cause: RecordedEvent
  readonly details: JsonObject | null
  readonly origin: Origin
}

const NOWHERE: Origin = { page_id: null, funnel_id: null }

/** Returns the types of public events that a type of recorded events may cause. */
export const typesByCause = (types: readonly EventType[]): ReadonlyMap<string, readonly EventType[]> => {
  const byCause = new Map<string, EventType[]>()
  for (const type of types)
    for (const cause of type.publication.on) byCause.set(cause, [...(byCause.get(cause) ?? []), type])
  return byCause
}

/** Returns a function that derives the public events of a write: each type at most once per record, in the order of their causes. */
export const publicEventsOf = (types: readonly EventType[]): ((write: Write) => readonly PublicEvent[]) => {
  const byCause = typesByCause(types)
  return (write) => {
    const found = new Map<string, PublicEvent>()
    const happened = new Set(write.map((event) => event.type))
    for (const cause of write) {
      const { name, id } = parseStream(cause.stream)
      for (const type of byCause.get(cause.type) ?? []) {
        if (type.resource.aggregate.name !== name) continue
        const { when, unlessWith = [] } = type.publication
        if (unlessWith.some((other) => happened.has(other))) continue
        for (const subjectId of type.resource.documents.fold.touched(cause, id)) {
          if (when && !when(cause, subjectId)) continue
          const key = `${type.key} ${subjectId}`
          if (!found.has(key)) found.set(key, publicEvent(type, subjectId, cause, write.at(-1)!))
        }
      }
    }
    return [...found.values()]
  }
}

const publicEvent = (type: EventType, id: number, cause: RecordedEvent, last: RecordedEvent): PublicEvent => ({
  type,
  subject: {
    resource: type.resource.name,
    id,
    stream: cause.stream,
    revision: last.revision,
    goneFrom: cause.revision,
    at: last.metadata.at,
  },
  cause,
  details: type.publication.details?.(cause) ?? null,
  origin: type.publication.origin?.(cause) ?? NOWHERE,
})
