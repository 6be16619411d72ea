import { expect } from 'chai'
import fc from 'fast-check'
import { fromMinor, toMinor } from '../../../domain/kernel/values/money.ts'
import { type GatewayRequest, OrderLife } from '../../support/traffic/order-life.ts'
import { monthly, saleOf } from '../../support/traffic/sales.ts'

/** Number of random lives, in the long form and in `npm test`. */
const LIVES = process.env.FAULTS === 'long' ? 20_000 : 2_000
const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD', 'BHD']
const BEGUN = '2026-01-31T08:00:00.000Z'
const DAY = 24 * 60 * 60 * 1000

/** A step in the life of an order: time passes, a gateway answers, or a client sends a request. The number picks one of several. */
const step = fc.record({
  what: fc.constantFrom(
    'day',
    'week',
    'month',
    'approve',
    'decline',
    'fail',
    'repeat',
    'refund',
    'settle',
    'cancel',
    'abandon',
    'note',
    'move',
    'reschedule',
  ),
  which: fc.nat(7),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31 }

/** The life of an order with a gateway, which records separately what it charged and what it refunded. */
class Sold {
  readonly life: OrderLife
  readonly took = new Map<string, bigint>()
  readonly gave = new Map<string, bigint>()
  private readonly open: GatewayRequest[] = []
  private readonly answered: (() => void)[] = []
  private readonly currency: string

  constructor(currency: string, minor: number, quantity: number, payments: number | null) {
    this.currency = currency
    const each = fromMinor(BigInt(minor), currency)
    const total_amount = fromMinor(BigInt(minor * quantity), currency)
    const none = fromMinor(0n, currency)
    const [line] = saleOf().lines
    const sale = saleOf({
      ...{ currency, total_amount, subtotal_amount: total_amount, shipping_amount: none, discount: none, tax: none },
      lines: [{ ...line!, quantity, amount: each, discount: none }],
      plan: monthly(BEGUN, { payments }),
      charge_id: 'ch-0',
    })
    const price = (id: number, times: number, interval: string) => ({
      ...{ id, payment_type: 'subscription', interval, interval_count: 1, product_id: 3, variant_id: 11 },
      ...{ amount: fromMinor(BigInt(minor * times), currency), archived: false },
    })
    this.life = new OrderLife(BEGUN, sale, [price(21, 1, 'months'), price(22, 3, 'months'), price(23, 9, 'years')])
    this.took.set('ch-0', this.minor(total_amount))
  }

  does({ what, which }: Step): void {
    const { life } = this
    const days = DAYS[what]
    if (days)
      life.passes(new Date(Date.parse(life.now) + days * DAY).toISOString(), (request) => this.open.push(request))
    else if (what === 'repeat') this.answered[which % (this.answered.length || 1)]?.()
    else if (what === 'cancel') life.asks('cancel', { effective_date: which > 3 ? 'now' : 'next_renewal' })
    else if (what === 'abandon')
      life.asks('abandon', {}, { child: 'invoices', id: this.pick(life.invoices, which)!.id })
    else if (what === 'refund')
      life.asks('refund', {}, { child: 'transactions', id: this.pick(life.transactions, which)!.id })
    else if (what === 'move' || what === 'reschedule')
      this.moves(this.pick([21, 22, 23], which)!, what === 'move' ? 'now' : 'next_renewal')
    else if (what === 'note') life.asks('change', { notes: `${which}` })
    else this.answers(what, which)
    this.open.push(...life.requests.splice(0))
  }

  /** Moves to another price. A credit is never more than the money that is there. */
  private moves(price: number, when: 'now' | 'next_renewal'): void {
    const { life } = this
    const count = life.invoices.length
    life.moves(price, when)
    if (life.invoices.length === count) return
    const credit = this.minor(life.invoices.at(-1)!.discount ?? '0')
    const there = sum(this.took.values()) - sum(this.gave.values())
    expect(credit <= there, `a credit of ${credit} with ${there} paid`).to.equal(true)
  }

  private answers(what: string, which: number): void {
    const request = this.pick(this.open, which)
    if (!request || (request.type === 'TransactionRefundAsked') !== (what === 'settle')) return
    this.open.splice(this.open.indexOf(request), 1)
    const { life } = this
    const { invoice_id, transaction_id, amount } = request.data
    const external_id = `${what}-${life.mint()}`
    const minor = this.minor(String(amount))
    if (what === 'approve') this.took.set(external_id, minor)
    if (what === 'settle') this.gave.set(external_id, minor)
    const tells = () => {
      const refund = { external_id, refund_id: life.mint() }
      const outcome = { invoice_id, external_id, transaction_id: life.mint() }
      if (what === 'settle') life.asks('recordRefund', refund, { child: 'transactions', id: Number(transaction_id) })
      else if (what === 'fail') life.asks('chargeFailed', { invoice_id, reason: 'away' })
      else life.asks('recordCharge', { ...outcome, result: what === 'approve' ? 'approved' : 'declined' })
    }
    tells()
    // A failure is never reported twice.
    if (what !== 'fail') this.answered.push(tells)
  }

  private pick<T>(all: readonly T[], which: number): T | undefined {
    return all[which % (all.length || 1)]
  }

  minor(value: string): bigint {
    return toMinor(value, this.currency)!
  }
}

const sum = (values: Iterable<bigint>): bigint => [...values].reduce((all, one) => all + one, 0n)

describe('the ledger of an order', () => {
  it(`are those of its gateway, whatever happens, over ${LIVES} lives in five currencies`, function () {
    this.timeout(LIVES * 20)
    const life = fc.tuple(
      fc.constantFrom(...CURRENCIES),
      fc.integer({ min: 1, max: 999_999 }),
      fc.integer({ min: 1, max: 9 }),
      fc.option(fc.integer({ min: 1, max: 4 }), { freq: 1 }),
      fc.array(step, { maxLength: 40 }),
    )
    fc.assert(
      fc.property(life, ([currency, minor, quantity, payments, steps]) => {
        const sold = new Sold(currency, minor, quantity, payments)
        for (const one of steps) sold.does(one)
        const { invoices, transactions, billed } = sold.life
        const of = (type: string) =>
          transactions.filter((one) => one.external_type === type && one.result === 'approved')
        const total = (all: readonly { amount: string }[]) => sum(all.map(({ amount }) => sold.minor(amount)))
        expect(total(of('sale')), 'what was taken').to.equal(sum(sold.took.values()))
        expect(total(of('refund')), 'what was given back').to.equal(sum(sold.gave.values()))
        const worth = (status: string) =>
          sum(invoices.filter((one) => one.status === status).map(({ total_amount }) => sold.minor(total_amount)))
        expect(worth('paid'), 'what is paid').to.equal(total(of('sale')) - total(of('refund')))
        for (const { id, total_amount } of invoices) {
          const own = billed.filter(({ invoice_id }) => invoice_id === id)
          const lines = own.map(
            ({ amount, quantity, discount }) => sold.minor(amount) * BigInt(quantity) - sold.minor(discount ?? '0'),
          )
          expect(sum(lines), 'what the lines of an invoice come to').to.equal(sold.minor(total_amount))
          expect(
            lines.every((one) => one >= 0n),
            'a line below nothing',
          ).to.equal(true)
        }
        const periods = invoices.flatMap(({ period }) => (period === null ? [] : [period]))
        expect(new Set(periods).size, 'a period twice').to.equal(periods.length)
        expect(sold.life.order.billing_status).to.equal(invoices.at(-1)!.status)
      }),
      { numRuns: LIVES, ...(process.env.TEST_SEED && { seed: Number(process.env.TEST_SEED) }) },
    )
  })
})
