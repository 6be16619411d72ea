import type { ChargeAnswer, ChargeRequest, RefundRequest, SaveRequest } from '../../domain/payments/public.ts'
import { AUTHENTICATION_REQUIRED, approved, declined, failed, type Gateway, refused, unknown } from './gateway.ts'

/** Payment methods that are declined, with the reason. All others are approved, except those named below. */
const DECLINES: ReadonlyMap<string, string> = new Map([
  ['declined', 'card_declined'],
  ['insufficient_funds', 'insufficient_funds'],
  [AUTHENTICATION_REQUIRED, AUTHENTICATION_REQUIRED],
])

const UNKNOWN = 'unknown'
const START = 'sim_'

const LOST = unknown('no answer came')
const NO_METHOD = refused('there is no such payment method')

/** Returns the result of a charge that has arrived. */
const chargeResult = (method: string, key: string): { readonly came: 'answered'; readonly answer: ChargeAnswer } => {
  const reason = DECLINES.get(method)
  const id = `${START}${method}:${key}`
  return reason === undefined ? approved(id) : declined(reason, id)
}

/** Reads the payment method of a charge from its id. */
const methodOf = (chargeId: string): string => chargeId.slice(START.length).split(':', 1)[0] ?? ''

const refunded = async ({ external_id }: RefundRequest, key: string) => {
  if (!external_id.startsWith(START)) return refused('there is no such charge')
  const method = methodOf(external_id)
  if (method === 'refund_refused') return refused('the charge is too old')
  return method === 'refund_lost' ? LOST : ({ came: 'answered', answer: { external_id: `sim_refund:${key}` } } as const)
}

const saved = async ({ token }: SaveRequest) =>
  token === UNKNOWN
    ? NO_METHOD
    : ({ came: 'answered', answer: { payment_method_id: token, label: `Test card (${token})` } } as const)

/**
 * The built-in gateway, which moves no money. It stores nothing: results follow from the payment method, and ids from the
 * keys of calls. It therefore answers the same after a kill, and in every process.
 */
export const simulator: Gateway = {
  charge: {
    async send({ payment_method_id: method }: ChargeRequest, key) {
      if (method === UNKNOWN) return NO_METHOD
      if (method === 'down') return failed('the gateway is away')
      return method === 'lost' || method === 'late' ? LOST : chargeResult(method, key)
    },
    async find({ payment_method_id: method }, key) {
      if (method === 'lost') return LOST
      return method === 'down' || method === UNKNOWN ? { came: 'never' } : chargeResult(method, key)
    },
  },
  refund: { send: refunded, find: refunded },
  save: { send: saved, find: saved },
}
