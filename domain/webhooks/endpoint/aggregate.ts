import type { Aggregate } from '../../kernel/decider.ts'
import { decide, type EndpointCommand } from './decide.ts'
import { type EndpointEvent, endpointEvents } from './events.ts'
import { type EndpointState, evolve, initial } from './state.ts'

/** Where a subscriber wants events sent, and how that goes. */
export const endpointAggregate: Aggregate<EndpointState, EndpointCommand, EndpointEvent> = {
  name: 'webhooks/outgoing/endpoint',
  initial,
  events: endpointEvents,
  decide,
  evolve,
}
