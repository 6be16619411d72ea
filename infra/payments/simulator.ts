import { setTimeout as sleep } from 'node:timers/promises'
import type { ChargeAnswer, RefundRequest, SaveRequest } from '../../domain/payments/public.ts'
import { AUTHENTICATION_REQUIRED, approved, declined, failed, type Gateway, refused, unknown } from './gateway.ts'

/** What becomes of charges of a payment method; the token `tok_sim_approved` is saved as the method `pm_sim_approved`. */
export const BEHAVIOURS = [
  'approved',
  'card_declined',
  'insufficient_funds',
  AUTHENTICATION_REQUIRED,
  'timeout',
  'down',
  'late',
] as const

type Behaviour = (typeof BEHAVIOURS)[number]

const TOKEN = 'tok_sim_'
const METHOD = 'pm_sim_'
const CHARGE = 'sim_charge_'
const REFUND = 'sim_refund_'

/** For how long a late answer is waited for. */
const LATE_MS = 1500

const behaviourIn = (text: string, start: string): Behaviour | undefined =>
  BEHAVIOURS.find((behaviour) => text === start + behaviour)

/** What became of a charge that it has heard of. */
const booked = (behaviour: Behaviour, key: string): { came: 'answered'; answer: ChargeAnswer } => {
  const isDeclined =
    behaviour === 'card_declined' || behaviour === 'insufficient_funds' || behaviour === AUTHENTICATION_REQUIRED
  return isDeclined ? declined(behaviour, CHARGE + key) : approved(CHARGE + key)
}

const refunded = async ({ external_id }: RefundRequest, key: string) =>
  external_id.startsWith(CHARGE)
    ? ({ came: 'answered', answer: { external_id: REFUND + key } } as const)
    : refused('there is no such charge')

const saved = async ({ token }: SaveRequest) => {
  const behaviour = behaviourIn(token, TOKEN)
  if (!behaviour) return refused('there is no such token')
  const answer = { payment_method_id: METHOD + behaviour, label: `Test card (${behaviour})` }
  return { came: 'answered', answer } as const
}

/**
 * The gateway that is built in: it moves no money. It keeps no books: what it has done under a key follows from the key and the request, so it says the
 * same after a kill, and in every process.
 *
 * @param lateMs real time after which a late answer comes
 */
export const simulator = (lateMs = LATE_MS): Gateway => ({
  charge: {
    async send({ payment_method_id }, key, signal) {
      const behaviour = behaviourIn(payment_method_id, METHOD)
      if (!behaviour) return refused('there is no such payment method')
      if (behaviour === 'down') return failed('the gateway is down')
      if (behaviour === 'timeout') return unknown('no answer of the gateway (it took too long)')
      if (behaviour === 'late') await sleep(lateMs, undefined, { signal })
      return booked(behaviour, key)
    },
    async find({ payment_method_id }, key) {
      const behaviour = behaviourIn(payment_method_id, METHOD)
      return behaviour && behaviour !== 'down' ? booked(behaviour, key) : { came: 'never' }
    },
  },
  refund: { send: refunded, find: refunded },
  save: { send: saved, find: saved },
})
