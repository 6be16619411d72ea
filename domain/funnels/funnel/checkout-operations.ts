import { Type } from 'typebox'
import { flag, integer, reference } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { gatewayAccount, PROVIDERS } from '../../payments/public.ts'
import type { Shown, WriteInput } from '../../resources/operation.ts'
import { read } from '../../resources/operations.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { asks } from '../../resources/writes.ts'
import { gatewayOfPages } from './checkout-settings.ts'
import { funnel } from './model.ts'

const PATH = '/funnels/{id}/checkout'
const LONGEST_MINUTES = 7 * 24 * 60

const schema = Type.Object({
  enabled: Type.Boolean(),
  gateway_account_id: nullableInteger,
  offer_minutes: Type.Integer(),
  gateway: Type.Union([Type.Enum([...PROVIDERS]), Type.Null()], {
    description: 'By what its pages charge now; null: they sell nothing',
  }),
})

const fields = {
  enabled: flag({ about: 'Whether its pages sell' }),
  gateway_account_id: reference('payments/gateway_account', {
    nullable: true,
    about: 'A live funnel needs a live account. In test mode, the simulator takes the place of a live or missing one',
  }),
  offer_minutes: integer({ min: 1, max: LONGEST_MINUTES, about: 'How long a one-click offer is open' }),
}

const shown: Shown = {
  schema,
  async of(document, load) {
    const found = recordOf(funnel)(document)
    const { checkout_enabled: enabled, checkout_account_id: gateway_account_id, offer_minutes } = found
    const account = await load.one(gatewayAccount.name, gateway_account_id)
    const gateway = gatewayOfPages(found, account && recordOf(gatewayAccount)(account))?.provider ?? null
    return { enabled, gateway_account_id, offer_minutes, gateway }
  },
}

/** Returns all settings after a request, which may leave some as they are. */
const wanted = ({ document, fields: sent }: WriteInput) => {
  const before = recordOf(funnel)(document ?? {})
  const { enabled = before.checkout_enabled, gateway_account_id = before.checkout_account_id } = sent
  return {
    checkout_enabled: enabled === true,
    checkout_account_id: typeof gateway_account_id === 'number' ? gateway_account_id : null,
    offer_minutes: Number(sent.offer_minutes ?? before.offer_minutes),
  }
}

/** Operations that show and choose how the pages of a funnel sell. Beyond the contract. */
export const checkoutOperations = {
  getFunnelCheckout: read(PATH, {
    shows: shown,
    beyondContract: true,
    summary: 'Whether the pages of a funnel sell, and by which gateway they charge',
  }),
  setFunnelCheckout: asks(PATH, 'setCheckout', {
    consequence: 'changes whether and how buyers are charged',
    method: 'PUT',
    beyondContract: true,
    summary: 'Lets the pages of a funnel sell or not, and chooses the gateway by which they charge',
    body: { root: 'checkout', fields, mode: 'change' },
    wanted,
    shows: shown,
  }),
}
