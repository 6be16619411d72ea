import { type Delivered, isSale, ordered } from './order-state.ts'

/** Result of a delivery: a note on the order, or the reason for which it changes nothing. */
export type Outcome = { readonly notes: string } | { readonly skipped: string }

const skipped = (reason: string): Outcome => ({ skipped: reason })

/** Kind of reversal, the status in which it has happened, and those in which it has been taken back. */
interface Reversal {
  readonly kind: 'refund' | 'dispute'
  readonly done: string
  readonly undone: readonly string[]
}

/** What the deliveries of a purchase tell together about each of them. */
interface Together {
  /** Whether the order is a subscription; `undefined` until something was bought. */
  readonly recurs: boolean | undefined
  /** Payments of what was bought. */
  readonly paid: ReadonlySet<string | null>
  /** Status of the same refund or dispute in the report before. */
  readonly statusBefore: ReadonlyMap<Delivered, string | null>
}

const together = (deliveries: readonly Delivered[]): Together => {
  const all = ordered(deliveries)
  const sales = all.filter(isSale)
  const statusBefore = new Map<Delivered, string | null>()
  const newest = new Map<string, string | null>()
  for (const one of all) {
    const name = one.refund === null ? `dispute ${one.dispute}` : `refund ${one.refund}`
    statusBefore.set(one, newest.get(name) ?? null)
    newest.set(name, one.status)
  }
  return { recurs: sales[0]?.sold.recurs, paid: new Set(sales.map(({ payment }) => payment)), statusBefore }
}

/** Result of a report on a refund or dispute: it happened, an earlier report is taken back, or nothing changes. */
const reversal = (one: Delivered, { statusBefore }: Together, { kind, done, undone }: Reversal): Outcome => {
  const [id, status] = [one[kind], one.status ?? 'unknown']
  const says = `${kind === 'refund' ? 'Refund' : 'Dispute'} ${id} of payment ${one.payment}`
  if (status === done) return { notes: `${says}: ${status}` }
  return undone.includes(status) && statusBefore.get(one) === done
    ? { notes: `${says}: ${status}, taken back` }
    : skipped(`${says} is ${status}`)
}

const effectOf = (one: Delivered, all: Together): Outcome => {
  const { recurs } = all
  switch (one.type) {
    case 'payment.succeeded':
      return { notes: `Payment ${one.payment} succeeded` }
    case 'payment.failed':
      return recurs ? { notes: `Payment ${one.payment} failed` } : skipped('The order is no subscription')
    case 'refund.created':
    case 'refund.updated':
      return reversal(one, all, { kind: 'refund', done: 'succeeded', undone: ['failed', 'canceled'] })
    case 'dispute.created':
    case 'dispute.updated':
      return reversal(one, all, { kind: 'dispute', done: 'lost', undone: ['won'] })
    case 'membership.cancel_at_period_end_changed':
      if (!recurs) break
      return { notes: `Membership ${one.membership} ${one.cancels ? 'will end with its period' : 'will go on'}` }
    default:
      if (recurs) return { notes: `Membership ${one.membership} ${one.type.slice('membership.'.length)}` }
  }
  return skipped('The order is no subscription')
}

const isOfPayment = ({ refund, dispute }: Delivered): boolean => refund !== null || dispute !== null

/** Result of one delivery among all deliveries of its purchase. */
const outcomeOf = (one: Delivered, all: Together): Outcome => {
  if (one.problem !== null) return skipped(one.problem)
  if (one.type === 'payment.succeeded' && one.sold === null)
    return skipped(`Whop plan ${one.plan} is mapped to nothing`)
  if (all.recurs === undefined) {
    const source = one.membership === null ? `payment ${one.payment}` : `membership ${one.membership}`
    return skipped(`No existing order found for Whop ${source}`)
  }
  if (isOfPayment(one) && !all.paid.has(one.payment))
    return skipped(`No existing invoice found for Whop payment ${one.payment}`)
  const result = effectOf(one, all)
  return 'notes' in result ? { notes: `${one.at} ${result.notes}` } : result
}

/** Returns the result of each delivery of a purchase, independent of their order of arrival. */
export const outcomesOf = (deliveries: readonly Delivered[]): ReadonlyMap<Delivered, Outcome> => {
  const all = together(deliveries)
  return new Map(deliveries.map((one) => [one, outcomeOf(one, all)]))
}
