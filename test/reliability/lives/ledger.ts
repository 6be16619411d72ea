import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { minorOf } from '../../../domain/kernel/values/money.ts'
import type { Bank } from './bank.ts'
import { CURRENCY, PRICES } from './catalogue.ts'
import { DAY } from './clocks.ts'

interface Invoice {
  readonly id: number
  readonly minor: bigint
  status: string
}

/** A payment, with what was given back of it, or is to be. */
interface Sale {
  readonly external_id: string
  readonly invoice: number
  readonly minor: bigint
  given: bigint
  asked: bigint
}

/** A period that was paid for: by the invoice with which it begins, and by those for the rest of it. */
interface Period {
  readonly invoices: Invoice[]
  /** Taken off its first invoice for the rest of the period before. */
  readonly credit: bigint
  /** Dearest price that applied in it. */
  dearest: bigint
}

const minor = (amount: unknown): bigint => minorOf(String(amount ?? '0'), CURRENCY)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n)

/** Shortest and longest period of each interval, in days. */
const LENGTHS: Readonly<Record<string, readonly [number, number]>> = {
  ...{ weeks: [7, 7], months: [28, 31], quarters: [89, 92], years: [365, 366] },
}
/** Clocks change within a period. */
const CLOCK_CHANGE = 1 / 24

const STATUS_AFTER: Readonly<Record<string, string>> = {
  InvoicePaid: 'paid',
  InvoiceRefunded: 'refunded',
  InvoiceVoided: 'voided',
  InvoiceAbandoned: 'abandoned',
  InvoiceFellPastDue: 'past-due',
}

/** A plain ledger of one subscription, kept from what happened to its order. It collects complaints. */
export class Ledger {
  readonly complaints: string[] = []
  readonly sales = new Map<number, Sale>()
  readonly invoices = new Map<number, Invoice>()
  readonly #periods: Period[] = []
  readonly #numbers = new Set<number>()
  /** Prices of the periods that fell due, as they were then. */
  readonly #fellDue = new Map<number, bigint>()
  readonly #quantity: bigint
  #priceId: number
  /** When the next period begins, in milliseconds since 1970. */
  #next = Number.NaN
  /** When it was reactivated, until the next period is known. */
  #reactivated: number | undefined
  #isCanceled = false
  #hasEnded = false

  constructor(price: number, quantity: number) {
    this.#priceId = price
    this.#quantity = BigInt(quantity)
  }

  get #price(): bigint {
    return PRICES.get(this.#priceId)!.minor
  }

  enter({ type, data, position, metadata: { at } }: RecordedEvent): void {
    const status = STATUS_AFTER[type]
    if (status !== undefined) this.invoices.get(Number(data.invoice_id))!.status = status
    if (type === 'OrderLineItemChanged') this.#priceId = Number(data.products_price_id)
    if (type === 'RenewalFellDue') this.#fallDue(data, at)
    if (type === 'SubscriptionCanceled') this.#isCanceled = true
    if (type === 'SubscriptionActivated' && this.#isCanceled) this.#reactivated = Date.parse(at)
    if (data.next_charge_at !== undefined) this.#plan(data.next_charge_at)
    if (type === 'SubscriptionChurned') this.#hasEnded = true
    if (type === 'InvoiceIssued') this.#issue(data, position)
    if (type.startsWith('Transaction')) this.#pay(type, data)
  }

  /** Compares with the books of the bank, after everything has come to rest. */
  close(bank: Bank): readonly string[] {
    const { complaints } = this
    for (const charge of bank.charges.filter(({ isApproved }) => isApproved)) {
      const sale = [...this.sales.values()].find(({ external_id }) => external_id === charge.id)
      if (!sale && charge.given < charge.minor) complaints.push(`${charge.id} is neither recorded nor given back`)
      if (!sale) continue
      const owed = this.invoices.get(sale.invoice)!.minor
      if (charge.minor !== owed) complaints.push(`${charge.id} is ${charge.minor} for an invoice of ${owed}`)
      if (charge.minor !== sale.minor) complaints.push(`${charge.id} is ${charge.minor}, recorded as ${sale.minor}`)
      if (charge.given !== sale.given)
        complaints.push(`of ${charge.id} ${charge.given} was given back, and ${sale.given} recorded`)
    }
    for (const { external_id } of this.sales.values())
      if (!bank.charges.some(({ id, isApproved }) => isApproved && id === external_id))
        complaints.push(`${external_id} is recorded and was never charged`)
    for (const invoice of this.invoices.values()) this.#closeInvoice(invoice)
    for (const [index, period] of this.#periods.entries()) {
      const cost = this.#received(period) + least(period.credit, index === 0 ? 0n : this.#worth(index - 1))
      // Each change within a period is rounded.
      const most = period.dearest * this.#quantity + BigInt(period.invoices.length)
      if (cost > most) complaints.push(`period ${index} cost ${cost}, and its dearest price is ${most}`)
    }
    return complaints
  }

  #closeInvoice({ id, minor, status }: Invoice): void {
    const kept = [...this.sales.values()].filter((sale) => sale.invoice === id && sale.given < sale.minor)
    const wanted = status === 'paid' && minor > 0n ? 1 : 0
    if (kept.length !== wanted) this.complaints.push(`invoice ${id} is ${status}, with ${kept.length} payments kept`)
    if (['unpaid', 'past-due'].includes(status)) this.complaints.push(`invoice ${id} is ${status} for ever`)
  }

  /** What would have been due while it was cancelled is not owed. */
  #plan(next: unknown): void {
    this.#next = Date.parse(String(next))
    if (this.#reactivated !== undefined && this.#next < this.#reactivated)
      this.complaints.push(`${next} had passed when it was reactivated`)
    this.#reactivated = undefined
  }

  /** A period begins when it is due, and is as long as its price says. */
  #fallDue({ period, next_charge_at }: JsonObject, at: string): void {
    this.#fellDue.set(Number(period), this.#price)
    if (!(Date.parse(at) >= this.#next)) this.complaints.push(`period ${period} began early, at ${at}`)
    if (this.#hasEnded) this.complaints.push(`period ${period} began after the end`)
    if (next_charge_at === null) return
    const days = (Date.parse(String(next_charge_at)) - this.#next) / DAY
    const [shortest, longest] = LENGTHS[PRICES.get(this.#priceId)!.interval]!
    if (days < shortest - CLOCK_CHANGE || days > longest + CLOCK_CHANGE)
      this.complaints.push(`period ${period} has ${days} days`)
  }

  #issue(data: JsonObject, position: number): void {
    const { invoice_id, invoice_type, period, discount, subtotal_amount, total_amount } = data
    const invoice: Invoice = { id: Number(invoice_id), minor: minor(total_amount), status: 'unpaid' }
    const complain = (says: string) => this.complaints.push(`invoice ${invoice.id} at ${position} ${says}`)
    this.invoices.set(invoice.id, invoice)
    if (this.#hasEnded) complain('is of a subscription that has ended')
    if (typeof period === 'number' && this.#numbers.has(period)) complain(`is the second for period ${period}`)
    if (typeof period === 'number') this.#numbers.add(period)
    const isTrial = invoice_type === 'initial' && period === null
    const price = invoice_type === 'renewal' ? this.#fellDue.get(Number(period))! : isTrial ? 0n : this.#price
    const whole = price * this.#quantity
    if (invoice_type === 'interim' && period === null) {
      const running = this.#periods.at(-1)!
      running.invoices.push(invoice)
      if (price > running.dearest) running.dearest = price
      return
    }
    const credit = invoice_type === 'interim' ? minor(discount) : 0n
    if (minor(subtotal_amount) !== whole) complain(`is ${subtotal_amount}, and the price was ${whole}`)
    const worth = this.#periods.length === 0 ? 0n : this.#worth(this.#periods.length - 1)
    if (credit > worth) complain(`has a credit of ${credit} for what cost ${worth}`)
    this.#periods.push({ invoices: [invoice], credit, dearest: price })
  }

  #pay(type: string, data: JsonObject): void {
    const { transaction_id, invoice_id, external_type, external_id, result, amount, adjusted_transaction_id } = data
    const sale = this.sales.get(Number(external_type === 'refund' ? adjusted_transaction_id : transaction_id))
    if (type === 'TransactionRefundAsked') sale!.asked = minor(amount)
    if (type === 'TransactionRefunded' || type === 'TransactionRefundFailed') sale!.asked = 0n
    if (type !== 'TransactionRecorded' || result !== 'approved') return
    if (external_type === 'refund') sale!.given += minor(amount)
    else
      this.sales.set(Number(transaction_id), {
        ...{ external_id: String(external_id), invoice: Number(invoice_id), minor: minor(amount) },
        ...{ given: 0n, asked: 0n },
      })
  }

  /** What came in for a period and is not given back, nor to be. */
  #received({ invoices }: Period): bigint {
    const own = [...this.sales.values()].filter(({ invoice }) => invoices.some(({ id }) => id === invoice))
    return sum(own.map((sale) => sale.minor - sale.given - sale.asked))
  }

  /** What was paid for a period, in money or by a credit that was itself paid for. */
  #worth(index: number): bigint {
    const period = this.#periods[index]!
    const credit = index === 0 ? 0n : least(period.credit, this.#worth(index - 1))
    const worth = this.#received(period) + credit
    return worth > 0n ? worth : 0n
  }
}
