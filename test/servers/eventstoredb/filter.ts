import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { Stored } from './memory-store.ts'

export type EventFilter = (event: Stored) => boolean

/** The filter of a request: a regular expression or prefixes, for the name of the stream or the event type. */
export function filterOf(options: ReadReq.Options.FilterOptions): EventFilter {
  const expression = options.getStreamIdentifier() ?? options.getEventType()
  const text = options.hasStreamIdentifier() ? (event: Stored) => event.stream : (event: Stored) => event.type
  const prefixes = expression?.getPrefixList() ?? []
  if (!expression?.getRegex()) return (event) => prefixes.some((prefix) => text(event).startsWith(prefix))
  const regex = new RegExp(expression.getRegex())
  return (event) => regex.test(text(event))
}
