import type {
  ChargeAnswer,
  ChargeRequest,
  ConfirmRequest,
  RefundRequest,
  SaveRequest,
} from '../../domain/payments/public.ts'
import {
  AUTHENTICATION_REQUIRED,
  approved,
  bankAsks,
  declined,
  failed,
  type Gateway,
  refused,
  unknown,
} from './gateway.ts'

/** Payment methods that are declined, with the reason. All others are approved, except those named below. */
const DECLINES: ReadonlyMap<string, string> = new Map([
  ['sim_4000000000000002', 'card_declined'],
  ['declined', 'card_declined'],
  ['insufficient_funds', 'insufficient_funds'],
  [AUTHENTICATION_REQUIRED, AUTHENTICATION_REQUIRED],
])

/** Card whose bank asks a buyer who is present. Without the buyer it is charged: the bank was asked when it was saved. */
const ASKS = 'sim_4000002500003155'

const UNKNOWN = 'unknown'
const START = 'sim_'

const LOST = unknown('no answer came')
const NO_METHOD = refused('there is no such payment method')

/** Returns the result of a charge that has arrived. */
const chargeResult = (
  { payment_method_id: method, present }: ChargeRequest,
  key: string,
): { readonly came: 'answered'; readonly answer: ChargeAnswer } => {
  const reason = DECLINES.get(method)
  const id = `${START}${method}:${key}`
  if (present && method === ASKS) return bankAsks(id, { simulated: true })
  return reason === undefined ? approved(id) : declined(reason, id)
}

const confirmed = async ({ external_id, answer }: ConfirmRequest) =>
  answer === 'approved' ? approved(external_id) : declined(AUTHENTICATION_REQUIRED, external_id)

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
    async send(request, key) {
      const { payment_method_id: method } = request
      if (method === UNKNOWN) return NO_METHOD
      if (method === 'down') return failed('the gateway is away')
      return method === 'lost' || method === 'late' ? LOST : chargeResult(request, key)
    },
    async find(request, key) {
      const { payment_method_id: method } = request
      if (method === 'lost') return LOST
      return method === 'down' || method === UNKNOWN ? { came: 'never' } : chargeResult(request, key)
    },
  },
  confirm: { send: confirmed, find: confirmed },
  refund: { send: refunded, find: refunded },
  save: { send: saved, find: saved },
}
