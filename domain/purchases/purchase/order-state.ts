import { getOrInsert } from '../../kernel/values/get-or-insert.ts'
import type { Reported, Sold } from './reported.ts'

/** Content of a delivery, with its id at the provider. */
export type Delivered = Reported & { readonly event: string }

type Sale = Delivered & { readonly payment: string; readonly sold: Sold }

/** Invoice that follows from all deliveries together. */
export type Bill = {
  readonly payment: string
  readonly sold: Sold
  readonly invoice_type: 'initial' | 'renewal' | 'one_time_sale'
  readonly paid_at: string
  readonly status: 'paid' | 'refunded' | 'disputed'
}

/** State of the order that follows from all deliveries of a purchase. */
export type OrderState = {
  readonly recurs: boolean
  /** Oldest first, by the provider's clock. */
  readonly bills: readonly [Bill, ...Bill[]]
  readonly billing_status: Bill['status'] | 'past-due'
  readonly service: {
    readonly service_status: 'active' | 'churned'
    readonly activated_at: string
    readonly next_charge_at: string | null
    readonly canceled_at: string | null
    readonly cancel_reason: string | null
    readonly churned_at: string | null
  }
}

/** Orders by time, then by the provider's ids, so that the order of arrival never matters. */
const inOrder = (one: Delivered, other: Delivered): number =>
  one.at < other.at || (one.at === other.at && one.event < other.event) ? -1 : 1

/** Sorts by the provider's clock, and leaves out deliveries with a problem. */
export const ordered = (all: readonly Delivered[]): readonly Delivered[] =>
  all.filter(({ problem }) => problem === null).toSorted(inOrder)

/** Whether a payment was made for something that is sold here. */
export const isSale = (one: Delivered): one is Sale =>
  one.problem === null && one.type === 'payment.succeeded' && one.payment !== null && one.sold !== null

/** Newest report of each refund or dispute of a payment. */
const newestOf = (all: readonly Delivered[], kind: 'refund' | 'dispute', payment: string): readonly Delivered[] => {
  const newest = new Map<string, Delivered>()
  for (const one of all) {
    const id = one[kind]
    if (id !== null && one.payment === payment) newest.set(id, one)
  }
  return [...newest.values()]
}

const DECIMALS = 6

/** Amount in millionths; no currency has finer units. */
const inMillionths = (amount: string | null): bigint => {
  const [whole = '0', fraction = ''] = (amount ?? '0').split('.')
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}

/** Whether successful refunds add up to what was paid. A refund without an amount counts as full. */
const isRefunded = (all: readonly Delivered[], { payment, total }: Sale): boolean => {
  const done = newestOf(all, 'refund', payment).filter(({ status }) => status === 'succeeded')
  const paid = total ?? done.find((one) => one.total !== null)?.total ?? null
  if (paid === null || done.some(({ amount }) => amount === null)) return done.length > 0
  return done.length > 0 && done.reduce((sum, { amount }) => sum + inMillionths(amount), 0n) >= inMillionths(paid)
}

const lostOf = (all: readonly Delivered[], payment: string): Delivered | undefined =>
  newestOf(all, 'dispute', payment).find(({ status }) => status === 'lost')

const typeOf = ({ reason, sold }: Sale): Bill['invoice_type'] => {
  if (!sold.recurs) return 'one_time_sale'
  return reason === null || reason === 'subscription_create' ? 'initial' : 'renewal'
}

/** Returns the deliveries about a payment. */
type OfPayment = (payment: string) => readonly Delivered[]

/** Groups deliveries once, because a purchase may have thousands, and each of its payments asks. */
const byPayment = (all: readonly Delivered[]): OfPayment => {
  const groups = new Map<string, Delivered[]>()
  for (const one of all) if (one.payment !== null) getOrInsert(groups, one.payment, () => []).push(one)
  return (payment) => groups.get(payment) ?? []
}

const billOf = (all: readonly Delivered[], sale: Sale): Bill => ({
  payment: sale.payment,
  sold: sale.sold,
  invoice_type: typeOf(sale),
  paid_at: sale.paid_at ?? sale.at,
  status: lostOf(all, sale.payment) ? 'disputed' : isRefunded(all, sale) ? 'refunded' : 'paid',
})

/**
 * Service status of a subscription. A deactivated membership has ended, and so has one with a payment lost in a
 * dispute, until that dispute is won.
 */
const serviceOf = (all: readonly Delivered[], sales: readonly Sale[], ofPayment: OfPayment): OrderState['service'] => {
  let deactivated_at: string | null = null
  let canceled_at: string | null = null
  let renews_at: string | null = null
  for (const { type, at, cancels, renews_at: next } of all) {
    if (type === 'membership.activated') deactivated_at = null
    if (type === 'membership.deactivated') deactivated_at = at
    if (cancels !== null) canceled_at = cancels ? (canceled_at ?? at) : null
    if (next !== null) renews_at = next
  }
  const lost = sales.flatMap(({ payment }) => lostOf(ofPayment(payment), payment)?.at ?? []).toSorted()
  const churned_at = [...(deactivated_at === null ? [] : [deactivated_at]), ...lost].toSorted()[0] ?? null
  const begins = all.find((one) => one.type === 'membership.activated' || isSale(one))
  return {
    service_status: churned_at === null ? 'active' : 'churned',
    activated_at: begins?.at ?? '',
    next_charge_at: churned_at === null && canceled_at === null ? renews_at : null,
    canceled_at,
    cancel_reason: canceled_at === null ? null : 'other',
    churned_at,
  }
}

/**
 * State of the order of a purchase; `undefined` until something was bought. Depends on the provider's times alone, not
 * on the order of arrival.
 */
export const orderStateOf = (deliveries: readonly Delivered[]): OrderState | undefined => {
  const all = ordered(deliveries)
  const sales = [
    ...new Map(
      all
        .filter(isSale)
        .toReversed()
        .map((sale) => [sale.payment, sale]),
    ).values(),
  ].toReversed()
  const [first, ...rest] = sales
  if (!first) return undefined
  const newest = sales.at(-1) ?? first
  const ofPayment = byPayment(all)
  const bill = (sale: Sale) => billOf(ofPayment(sale.payment), sale)
  const bills = [bill(first), ...rest.map(bill)] as const
  const { recurs } = first.sold
  const failed = all
    .slice(all.indexOf(newest) + 1)
    .some(({ type, payment }) => type === 'payment.failed' && payment !== newest.payment)
  return {
    recurs,
    bills,
    billing_status: recurs && failed ? 'past-due' : (bills.at(-1)?.status ?? 'paid'),
    service: serviceOf(all, sales, ofPayment),
  }
}
