import { type Effect, type EffectContext, failed, idsIn } from './effect.ts'
import { stepType } from './step-type.ts'

const effect = async ({ settings, read }: EffectContext): Promise<Effect> => {
  const [endpoint_id] = idsIn(settings.webhooks_outgoing_endpoint_id)
  if (endpoint_id === undefined || !(await read.documents.get('webhooks/outgoing/endpoint', endpoint_id)))
    return failed('the endpoint is gone')
  return { outcome: 'done', endpoint_id }
}

/** Tells one endpoint that the run has come here. Webhooks deliver it, because of the event that has the endpoint. */
export const deliverWebhook = stepType('deliver_webhook_step', {
  refers: {
    webhooks_outgoing_endpoint_id: { to: 'webhooks/outgoing/endpoint', foundBy: 'endpoint_id', isGivenUp: true },
  },
  needs: ['webhooks_outgoing_endpoint_id'],
  does: { kind: 'acts', effect },
})
