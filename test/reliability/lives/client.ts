import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import { invoice } from '../../../domain/orders/invoice/model.ts'
import { lineItem } from '../../../domain/orders/order/line-item.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import { transaction } from '../../../domain/orders/transaction/model.ts'
import { gatewayNotification } from '../../../domain/payments/public.ts'
import type { Random } from '../../support/random.ts'
import type { Bank } from './bank.ts'
import { CURRENCY, money, PRICES } from './catalogue.ts'
import { type Clocks, DAY } from './clocks.ts'
import { isDone, type Service, type Wanted } from './service.ts'

/** Account with the gateway. */
export const ACCOUNT = 9

/** What clients, a merchant at the gateway's own pages, and the gateway may do, and how often. */
const ACTS = {
  'cancel at renewal': 2,
  'cancel now': 1,
  'cancel and void': 1,
  reactivate: 6,
  'move now': 9,
  'move at renewal': 4,
  refund: 4,
  'give back at the gateway': 3,
  notify: 6,
  abandon: 2,
  'move the trial': 1,
  'move the renewal': 2,
  erase: 1,
} as const
export type Act = keyof typeof ACTS

/** Acts after which nothing more is billed. They come late, so that there is a life before. */
const ENDS: readonly Act[] = ['cancel now', 'cancel and void', 'abandon', 'erase']

/** Returns the acts of a life, each as often as it may happen. Some never do, so that the others have more room. */
const deckOf = (numbers: Random): readonly Act[] =>
  Object.entries(ACTS).flatMap(([act, times]) =>
    Array.from({ length: times * numbers.pick([0, 1, 1, 3]) }, () => act as Act),
  )

interface ClientDeps {
  readonly numbers: Random
  readonly clocks: Clocks
  readonly bank: Bank
  readonly service: () => Service
  readonly orderId: number
  readonly mint: () => number
}

/** Whoever acts on a subscription from outside. */
export class Client {
  readonly #deps: ClientDeps
  readonly #deck: readonly Act[]
  /** Whether what ends a subscription may happen. */
  mayEnd = false
  /** Number of acts that changed something. */
  readonly done = new Map<Act, number>()

  constructor(deps: ClientDeps) {
    this.#deps = deps
    this.#deck = deckOf(deps.numbers)
  }

  async act(act: Act | undefined = this.#deps.numbers.pick(this.#deck)): Promise<void> {
    if (act === undefined || (!this.mayEnd && ENDS.includes(act))) return
    const wanted = await this.#wanted(act)
    if (!wanted) return
    const { service, orderId } = this.#deps
    const result = await service().ask({ aggregate: orders as Decider, id: orderId, ...wanted } as Wanted)
    if (isDone(result)) this.done.set(act, (this.done.get(act) ?? 0) + 1)
  }

  async #wanted(act: Act): Promise<Partial<Wanted> | undefined> {
    switch (act) {
      case 'cancel at renewal':
        return { type: 'cancel' }
      case 'cancel now':
        return { type: 'cancel', wanted: { effective_date: 'now' } }
      case 'cancel and void':
        return this.#cancelAndVoid()
      case 'reactivate':
        return { type: 'reactivate' }
      case 'move now':
        return this.#move('now')
      case 'move at renewal':
        return this.#move('next_renewal')
      case 'refund':
        return this.#refund()
      case 'give back at the gateway':
        return this.#giveBack()
      case 'notify':
        return this.#notify()
      case 'abandon':
        return this.#abandon()
      case 'move the trial':
        return this.#moveDate('trial_end_at')
      case 'move the renewal':
        return this.#moveDate('renewal_at')
      case 'erase':
        return { type: 'stopBilling' }
    }
  }

  async #records() {
    const { service, orderId } = this.#deps
    return service().engine.records(orders, orderId, Number.POSITIVE_INFINITY)
  }

  async #cancelAndVoid(): Promise<Partial<Wanted>> {
    const open = (await this.#records()).all(invoice).filter(({ status }) => ['unpaid', 'past-due'].includes(status))
    return { type: 'cancel', wanted: { voidable_invoices: open.map(({ id }) => id) } }
  }

  async #move(effective_time: string): Promise<Partial<Wanted>> {
    const { numbers, mint } = this.#deps
    const [line] = (await this.#records()).all(lineItem)
    const wanted = {
      ...{ line_item_id: line!.id, products_price_id: numbers.pick([...PRICES.keys()]), effective_time },
      ...{ prorate: numbers.pick([true, true, false, null]), invoice_id: mint(), invoice_line_item_id: mint() },
    }
    return { type: 'create', child: 'changes', childId: mint(), wanted }
  }

  async #refund(): Promise<Partial<Wanted> | undefined> {
    const sales = (await this.#records()).all(transaction).filter(({ status }) => status !== 'declined')
    if (sales.length === 0) return undefined
    return { type: 'refund', child: 'transactions', childId: this.#deps.numbers.pick(sales.slice(-3)).id }
  }

  /** Gives back at the gateway itself, where the service learns of it later. */
  #giveBack(): undefined {
    const { bank, numbers } = this.#deps
    const charge = numbers.pick(bank.charges.slice(-3))
    if (!charge) return undefined
    const left = charge.minor - charge.given
    const given = bank.give(charge, numbers.below(2) === 0 ? left : (left * BigInt(numbers.below(100))) / 100n)
    if (given) this.done.set('give back at the gateway', (this.done.get('give back at the gateway') ?? 0) + 1)
    return undefined
  }

  /** Delivers a report of the gateway, in any order, some more than once. */
  #notify(): Partial<Wanted> | undefined {
    const { bank, numbers, mint } = this.#deps
    const index = numbers.below(bank.notices.length)
    const notice = bank.notices[index]
    if (!notice) return undefined
    if (numbers.below(3) > 0) bank.notices.splice(index, 1)
    const { event_id, external_id, minor } = notice
    const wanted = { gateway_account_id: ACCOUNT, event_id, external_id, amount: money(minor), currency: CURRENCY }
    return { aggregate: gatewayNotification.aggregate, id: mint(), type: 'create', wanted }
  }

  async #abandon(): Promise<Partial<Wanted> | undefined> {
    const open = (await this.#records()).all(invoice).filter(({ status }) => ['unpaid', 'past-due'].includes(status))
    if (open.length === 0) return undefined
    return { type: 'abandon', child: 'invoices', childId: this.#deps.numbers.pick(open).id }
  }

  #moveDate(name: 'trial_end_at' | 'renewal_at'): Partial<Wanted> {
    const { clocks, numbers } = this.#deps
    const date = new Date(clocks.workspace + (1 + numbers.below(60)) * DAY).toISOString()
    return { type: 'change', wanted: { dates: { [name]: date } } }
  }
}
