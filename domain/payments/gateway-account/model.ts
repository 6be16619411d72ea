import { Type } from 'typebox'
import { choice, data, flag, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/**
 * Payment providers: `simulator` is built in and moves no money, the others have APIs. The value is also the
 * `payment_processor` of orders.
 */
export const PROVIDERS = ['simulator', 'stripe', 'payments_ai'] as const

export type Provider = (typeof PROVIDERS)[number]

/** Key as it is stored: sealed under the key of the workspace. Stored format. */
export type SealedKey = { readonly sealed: string; readonly last4: string }

const key = () =>
  data<SealedKey, { nullable: true; shown: 'never' }>(Type.Object({}), { nullable: true, shown: 'never' })
const ofPaymentsAi = (what: string) =>
  text({
    nullable: true,
    trim: true,
    emptyIsNull: true,
    about: `${what}; needed for payments_ai, and of no use elsewhere`,
  })

/** Account with a payment provider. The provider cannot be changed: use a new account instead. */
export const gatewayAccount = model('payments/gateway_account', {
  attributes: {
    name: text({ required: true, trim: true }),
    provider: choice(PROVIDERS, { required: true }),
    live_mode: flag({ default: false, about: 'Whether it moves real money; not for the simulator' }),
    publishable_key: text({
      nullable: true,
      trim: true,
      emptyIsNull: true,
      max: 500,
      about: 'What pages are given, to get tokens with; no secret',
    }),
    external_organization_id: ofPaymentsAi('The organization there'),
    external_website_id: ofPaymentsAi('The website there that transactions are made for'),
    secret_key: key(),
    webhook_secret: key(),
  },
  events: {
    GatewayAccountOpened: { creates: true },
    GatewayAccountRenamed: { sets: ['name'] },
    GatewayAccountKeysReplaced: { sets: ['secret_key', 'webhook_secret'] },
    GatewayAccountChanged: { changes: 'rest' },
    GatewayAccountRemoved: { ends: true },
  },
})
