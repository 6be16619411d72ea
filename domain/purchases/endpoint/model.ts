import { managed } from '../../kernel/model/field.ts'
import { choice, flag, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { ENDPOINT, PROVIDERS } from '../providers.ts'

/** Receiver of a provider's reports of purchases. */
export const endpoint = model(ENDPOINT, {
  attributes: {
    name: text({ nullable: true }),
    provider: choice(PROVIDERS, { required: true }),
    live_mode: flag({ initial: false, about: 'Whether what comes of it are live orders; cannot be changed' }),
    suppress_order_system_emails: flag({ initial: false, about: 'Whether buyers are to get no mail about the orders' }),
    /** As the provider issued it; sealed. */
    webhook_secret: managed(text({ max: 2048 }), { shown: 'never' }),
    webhook_secret_last_four: managed(text()),
  },
  events: {
    ExternalPurchaseEndpointOpened: { creates: true },
    ExternalPurchaseEndpointKeyed: { sets: ['webhook_secret', 'webhook_secret_last_four'] },
    ExternalPurchaseEndpointChanged: { changes: 'rest' },
    ExternalPurchaseEndpointRemoved: { ends: true },
  },
})
