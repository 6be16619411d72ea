import type { RecordedEvent, Upcast } from '../values/event.ts'
import { parseStream } from '../values/stream-name.ts'
import type { Decider } from './decider.ts'

/** Converts events of any version that was ever written to the present one. */
export type Upcaster = (event: RecordedEvent) => RecordedEvent

/**
 * Makes an upcaster for the events of these aggregates.
 *
 * @throws {Error} from the upcaster, for an event type or version that no aggregate declares, because newer code wrote it
 */
export const upcasterOf = (aggregates: readonly Decider[]): Upcaster => {
  const declared = new Map<string, Readonly<Record<string, readonly Upcast[]>>>(
    aggregates.map((aggregate) => [aggregate.name, aggregate.events]),
  )
  return (event) => {
    const upcasts = declared.get(parseStream(event.stream).name)?.[event.type]
    if (!upcasts) throw new Error(`the log holds ${event.type} in ${event.stream}, which this version does not know`)
    const version = event.metadata.v ?? 1
    if (version === upcasts.length + 1) return event
    if (version > upcasts.length + 1) {
      throw new Error(`the log holds ${event.type} version ${version}, which is newer than this version of Millrace`)
    }
    const data = upcasts.slice(version - 1).reduce((old, upcast) => upcast(old), event.data)
    return { ...event, data, metadata: { ...event.metadata, v: upcasts.length + 1 } }
  }
}
