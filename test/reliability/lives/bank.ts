import { type Adapter, type Adapters, adapterAt, type CallResult } from '../../../domain/kernel/ports/calls.ts'
import { minorOf } from '../../../domain/kernel/values/money.ts'
import {
  type ChargeAnswer,
  type ChargeRequest,
  charging,
  type RefundAnswer,
  type RefundRequest,
  refunding,
} from '../../../domain/payments/public.ts'
import { DAY } from './clocks.ts'

/** How a request is treated. `acts and loses`: it is carried out and its answer is lost; `loses`: it never arrives. */
export const MANNERS = ['answers', 'declines', 'fails', 'acts and loses', 'loses'] as const
export type Manner = (typeof MANNERS)[number]

/** A charge in the books of the bank. */
export interface BankCharge {
  readonly key: string
  readonly id: string
  readonly minor: bigint
  readonly isApproved: boolean
  /** Time by the bank's clock. */
  readonly at: number
  /** Minor units that were given back. */
  given: bigint
}

interface BankRefund {
  readonly key: string
  readonly id: string
  readonly charge: BankCharge
}

/** Total given back of a charge, as the bank reports it. */
export interface Notice {
  readonly event_id: string
  readonly external_id: string
  readonly minor: bigint
}

/** A request to charge, before it is carried out. */
export interface Sent {
  readonly key: string
  readonly minor: bigint
}

interface BankDeps {
  /** Time by the bank's clock; milliseconds since 1970. */
  readonly now: () => number
  /** How the next request is treated. */
  readonly manner: () => Manner
  /** Called with each request to charge that is made, before it is carried out. */
  readonly onCharge: (sent: Sent) => Promise<void>
}

/** A bank remembers an idempotency key for a day, as real ones do. */
const REMEMBERED_MS = DAY

const lost = (): never => {
  throw new Error('the connection was lost')
}

/** A gateway with books of its own. After it has forgotten a key, it carries out the request of that key once more. */
export class Bank {
  readonly charges: BankCharge[] = []
  readonly refunds: BankRefund[] = []
  readonly notices: Notice[] = []
  requests = 0
  readonly #deps: BankDeps
  readonly #answers = new Map<string, { readonly at: number; readonly answer: CallResult<unknown> }>()
  #ids = 0

  constructor(deps: BankDeps) {
    this.#deps = deps
  }

  /** Enters a charge that was made outside of the life, such as by a checkout. @returns its id */
  enter(key: string, minor: bigint, isApproved = true): BankCharge {
    const charge = {
      key,
      id: `ch-${++this.#ids}-${key.slice(0, 8)}`,
      minor,
      isApproved,
      at: this.#deps.now(),
      given: 0n,
    }
    this.charges.push(charge)
    return charge
  }

  /** Gives a part of a charge back, as far as it is still there, and reports it. @returns whether it was */
  give(charge: BankCharge, minor: bigint, key = ''): BankRefund | undefined {
    if (!charge.isApproved || minor <= 0n || charge.given + minor > charge.minor) return undefined
    charge.given += minor
    const refund = { key, id: `re-${++this.#ids}`, charge }
    this.refunds.push(refund)
    this.notices.push({ event_id: `ev-${++this.#ids}`, external_id: charge.id, minor: charge.given })
    return refund
  }

  /** @param mortally lets the caller die before or after a call */
  adapters(mortally: <T extends object>(adapter: T) => T): Adapters {
    return new Map([adapterAt(charging, mortally(this.#charging())), adapterAt(refunding, mortally(this.#refunding()))])
  }

  #charging(): Required<Adapter<ChargeRequest, ChargeAnswer>> {
    const told = ({ isApproved, id }: BankCharge): CallResult<ChargeAnswer> & { readonly came: 'answered' } => ({
      came: 'answered',
      answer: isApproved
        ? { result: 'approved', external_id: id, reason: null }
        : { result: 'declined', external_id: id, reason: 'card_declined' },
    })
    return {
      send: async ({ amount, currency }, key) => {
        await this.#deps.onCharge({ key, minor: minorOf(amount, currency) })
        return this.#carryOut(key, (manner) => told(this.enter(key, minorOf(amount, currency), manner !== 'declines')))
      },
      find: (_, key) =>
        this.#look(() => {
          const found = this.charges.find((one) => one.key === key)
          return found && told(found)
        }),
    }
  }

  #refunding(): Required<Adapter<RefundRequest, RefundAnswer>> {
    const told = ({ id }: BankRefund) => ({ came: 'answered', answer: { external_id: id } }) as const
    return {
      send: async ({ external_id, amount, currency }, key) =>
        this.#carryOut(key, (manner) => {
          const charge = this.charges.find(({ id }) => id === external_id)
          const refund =
            manner === 'declines' || !charge ? undefined : this.give(charge, minorOf(amount, currency), key)
          return refund ? told(refund) : { came: 'refused', reason: 'not to be given back' }
        }),
      find: (_, key) =>
        this.#look(() => {
          const found = this.refunds.find((one) => one.key === key)
          return found && told(found)
        }),
    }
  }

  /** Carries a request out in the manner of the moment; one whose key is remembered gets its first answer again. */
  async #carryOut<Answer>(key: string, act: (manner: Manner) => CallResult<Answer>): Promise<CallResult<Answer>> {
    this.requests++
    const manner = this.#deps.manner()
    if (manner === 'fails') return { came: 'failed', reason: 'it is away' }
    if (manner === 'loses') return lost()
    const now = this.#deps.now()
    const known = this.#answers.get(key)
    const answer = known && now - known.at < REMEMBERED_MS ? (known.answer as CallResult<Answer>) : act(manner)
    if (answer !== known?.answer) this.#answers.set(key, { at: now, answer })
    return manner === 'acts and loses' ? lost() : answer
  }

  async #look<Found>(find: () => Found | undefined): Promise<Found | { readonly came: 'never' }> {
    this.requests++
    const manner = this.#deps.manner()
    if (manner === 'answers' || manner === 'declines') return find() ?? { came: 'never' }
    return lost()
  }
}
