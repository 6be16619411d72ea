import type { Effect, EffectContext } from './effect.ts'
import { stepType } from './step-type.ts'

const effect = async ({ settings }: EffectContext): Promise<Effect> => ({
  outcome: 'done',
  endpoint_id: Number(settings.webhooks_outgoing_endpoint_id),
})

/** Tells one endpoint that the run has come here. Webhooks deliver it, because of the event that has the endpoint. */
export const deliverWebhook = stepType('deliver_webhook_step', {
  refers: {
    webhooks_outgoing_endpoint_id: {
      to: 'webhooks/outgoing/endpoint',
      foundBy: 'endpoint_id',
      isGivenUp: true,
      gone: 'the endpoint is gone',
    },
  },
  needs: ['webhooks_outgoing_endpoint_id'],
  does: { kind: 'acts', effect },
})
