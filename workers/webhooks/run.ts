import type { Subscription } from '../../domain/kernel/ports/event-log.ts'
import { eventTypeProblems, eventTypesOf } from '../../domain/webhooks/catalog.ts'
import { createAttempts } from './attempt.ts'
import { Dispatcher } from './dispatcher.ts'
import { Endpoints } from './endpoints.ts'
import { type WebhookParts, whenReadable } from './parts.ts'
import { startPublishing } from './publish.ts'
import { Redeliveries } from './redeliver.ts'

export interface Webhooks {
  /** Begins no more attempts and waits a little for those under way. */
  stop(): Promise<void>
}

/**
 * Starts telling subscribers what happens, as soon as the read models are there.
 *
 * @throws {Error} with everything that is wrong with the declared event types
 */
export const startWebhooks = (parts: WebhookParts): Webhooks => {
  const types = eventTypesOf([...parts.resources.values()])
  const problems = eventTypeProblems(types)
  if (problems.length > 0) throw new Error(`the declared event types contradict each other:\n${problems.join('\n')}`)
  const byKey = new Map(types.map((type) => [type.key, type]))
  const endpoints = new Endpoints(parts.live)
  const redeliveries = new Redeliveries(parts, byKey)
  let dispatcher: Dispatcher | undefined
  let publishing: Subscription | undefined
  let stopped = false

  const begin = async (): Promise<void> => {
    await whenReadable(parts, await parts.log.lastPosition(), () => stopped)
    if (!stopped) await endpoints.load()
    if (stopped) return
    dispatcher = new Dispatcher(parts, endpoints, createAttempts(parts, byKey))
    for (const endpoint of endpoints.all()) redeliveries.takeUp(endpoint)
    const onEndpoint: Parameters<typeof startPublishing>[0]['onEndpoint'] = (endpoint) =>
      endpoint && redeliveries.takeUp(endpoint)
    publishing = await startPublishing({ webhooks: parts, types, endpoints, dispatcher, onEndpoint })
  }
  const begun = begin().catch((error: unknown) => {
    if (!stopped) parts.onFailure(error)
  })
  return {
    async stop() {
      stopped = true
      await begun
      await publishing?.close()
      redeliveries.stop()
      await dispatcher?.stop()
    },
  }
}
