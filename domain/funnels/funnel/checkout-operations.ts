import { Type } from 'typebox'
import { ask } from '../../kernel/decide/ask.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { flag, integer, reference } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { gatewayAccount, PROVIDERS } from '../../payments/public.ts'
import type { ActionInput, ActionOperation } from '../../resources/operation.ts'
import { read } from '../../resources/operations.ts'
import type { ReadInput, ReadOperation } from '../../resources/read-operation.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { gatewayOfPages } from './checkout-settings.ts'
import { funnel } from './model.ts'
import { funnels } from './rules.ts'

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

const shown = async ({ document, read }: Pick<ReadInput, 'document' | 'read'>): Promise<JsonObject> => {
  const found = recordOf(funnel)(document ?? {})
  const { checkout_enabled: enabled, checkout_account_id: gateway_account_id, offer_minutes } = found
  const account = await readerOver(read).one(gatewayAccount, gateway_account_id)
  const gateway = gatewayOfPages(found, account)?.provider ?? null
  return { enabled, gateway_account_id, offer_minutes, gateway }
}

const set = async (input: ActionInput): Promise<JsonObject | Refusal> => {
  const { document, fields: sent, transact, read } = input
  const { id, ...before } = recordOf(funnel)(document ?? {})
  const { enabled = before.checkout_enabled, gateway_account_id = before.checkout_account_id } = sent
  const refusal = await transact(
    ask(funnels, id, 'setCheckout', {
      checkout_enabled: enabled === true,
      checkout_account_id: typeof gateway_account_id === 'number' ? gateway_account_id : null,
      offer_minutes: Number(sent.offer_minutes ?? before.offer_minutes),
    }),
  )
  if (refusal instanceof Refusal) return refusal
  const after = await read.get(funnel.name, id)
  return shown({ read, ...(after && { document: after }) })
}

/** Operations that show and choose how the pages of a funnel sell. Beyond the contract. */
export const checkoutOperations: {
  readonly [id in 'getFunnelCheckout' | 'setFunnelCheckout']: ReadOperation | ActionOperation
} = {
  getFunnelCheckout: read(PATH, {
    schema,
    beyondContract: true,
    summary: 'Whether the pages of a funnel sell, and by which gateway they charge',
    read: shown,
  }),
  setFunnelCheckout: {
    kind: 'call',
    method: 'PUT',
    path: PATH,
    beyondContract: true,
    summary: 'Lets the pages of a funnel sell or not, and chooses the gateway by which they charge',
    body: { root: 'checkout', fields, mode: 'change' },
    schema,
    answers: 200,
    call: set,
  },
}
