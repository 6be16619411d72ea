import { answeredBy, type Callees, type Sent } from '../../domain/kernel/ports/calls.ts'
import { type ChargeAnswer, charging, refunding, saving } from '../../domain/payments/ports.ts'

/**
 * The gateway of test orders, for which no money moves. What it does follows from the payment method alone, and ids follow from the keys of
 * calls, so that it keeps no books and says the same after a restart.
 */

/** Payment methods that are declined, with what is said of them; whatever else is named is approved. */
const DECLINES: ReadonlyMap<string, string> = new Map([
  ['declined', 'card_declined'],
  ['insufficient_funds', 'insufficient_funds'],
  ['authentication_required', 'authentication_required'],
])

const LOST = { came: 'unknown', reason: 'no answer came' } as const
const DOWN = { came: 'failed', reason: 'the gateway is away' } as const
const NEVER = { came: 'never' } as const

const answered = <A>(answer: A) => ({ came: 'answered', answer }) as const

const charged = (method: string, key: string) => {
  const reason = DECLINES.get(method) ?? null
  const result = reason === null ? 'approved' : 'declined'
  return answered<ChargeAnswer>({ result, external_id: `sim_${method}:${key}`, reason })
}

const charge = (method: string, key: string): Sent<ChargeAnswer> => {
  if (method === 'down') return DOWN
  return method === 'lost' || method === 'late' ? LOST : charged(method, key)
}

/** A charge says by its id which payment method it was of. */
const methodOf = (chargeId: string): string => chargeId.slice('sim_'.length).split(':', 1)[0] ?? ''

const refund = (method: string, key: string) => {
  if (method === 'refund_refused') return { came: 'refused', reason: 'the charge is too old' } as const
  return method === 'refund_lost' ? LOST : answered({ external_id: `sim_refund:${key}` })
}

export const simulator: Callees = new Map([
  answeredBy(charging, {
    send: async ({ payment_method_id }, key) => charge(payment_method_id, key),
    async find({ payment_method_id: method }, key) {
      if (method === 'late') return charged(method, key)
      return method === 'lost' ? LOST : NEVER
    },
  }),
  answeredBy(refunding, {
    send: async ({ external_id }, key) => refund(methodOf(external_id), key),
    find: async ({ external_id }) => (methodOf(external_id) === 'refund_lost' ? LOST : NEVER),
  }),
  answeredBy(saving, { send: async ({ token }) => answered({ payment_method_id: token, label: null }) }),
])
