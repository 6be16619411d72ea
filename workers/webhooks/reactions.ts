import { eventTypeProblems, eventTypesOf } from '../../domain/webhooks/catalog.ts'
import type { Reaction } from '../reactor/reaction.ts'
import { closingReaction } from './abandon.ts'
import { createAttempts } from './attempt.ts'
import { deliveryReaction } from './deliveries.ts'
import { Endpoints } from './endpoints.ts'
import { healthOf } from './health.ts'
import { publicationReaction } from './publications.ts'
import { Receivers } from './receivers.ts'
import { redeliveryReaction } from './redeliver.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/**
 * Returns the reactions that publish events and deliver them to subscribers.
 *
 * @throws {Error} listing everything that is wrong with the declared event types
 */
export const webhookReactions = (deps: WebhookDeps): readonly Reaction[] => {
  const types = eventTypesOf([...deps.resources.values()])
  const problems = eventTypeProblems(types)
  if (problems.length > 0) throw new Error(`the declared event types contradict each other:\n${problems.join('\n')}`)
  const byKey = new Map(types.map((type) => [type.key, type]))
  const receivers = new Receivers(healthOf(deps, (id) => endpoints.get(id)))
  const endpoints: Endpoints = new Endpoints(deps, (id, endpoint) => receivers.changed(id, endpoint))
  return [
    publicationReaction({ webhooks: deps, types, endpoints }),
    deliveryReaction({ webhooks: deps, endpoints, attempt: createAttempts(deps, byKey), receivers }),
    closingReaction(deps),
    redeliveryReaction(deps, byKey),
  ]
}
