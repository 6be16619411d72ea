import { type Delivered, isSale, ordered } from './order-state.ts'

/** Result of a delivery: a note on the order, or the reason for which it changes nothing. */
export type Outcome = { readonly notes: string } | { readonly skipped: string }

const skipped = (reason: string): Outcome => ({ skipped: reason })

/** Result of a report on a refund or dispute: it happened, an earlier report is taken back, or nothing changes. */
const reversal = (
  one: Delivered,
  all: readonly Delivered[],
  {
    kind,
    done,
    undone,
  }: { readonly kind: 'refund' | 'dispute'; readonly done: string; readonly undone: readonly string[] },
): Outcome => {
  const [id, status] = [one[kind], one.status ?? 'unknown']
  const says = `${kind === 'refund' ? 'Refund' : 'Dispute'} ${id} of payment ${one.payment}`
  if (status === done) return { notes: `${says}: ${status}` }
  const before = all.slice(0, all.indexOf(one)).filter((other) => other[kind] === id)
  return undone.includes(status) && before.at(-1)?.status === done
    ? { notes: `${says}: ${status}, taken back` }
    : skipped(`${says} is ${status}`)
}

const effectOf = (one: Delivered, all: readonly Delivered[], recurs: boolean): Outcome => {
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

/** Returns a function that gives the result of one delivery among all of its purchase, independent of their order of arrival. */
export const outcomesIn = (deliveries: readonly Delivered[]): ((one: Delivered) => Outcome) => {
  const all = ordered(deliveries)
  const sales = all.filter(isSale)
  const paid = new Set<string | null>(sales.map(({ payment }) => payment))
  const [first] = sales
  return (one) => {
    if (one.problem !== null) return skipped(one.problem)
    if (one.type === 'payment.succeeded' && one.sold === null)
      return skipped(`Whop plan ${one.plan} is mapped to nothing`)
    if (!first) {
      const source = one.membership === null ? `payment ${one.payment}` : `membership ${one.membership}`
      return skipped(`No existing order found for Whop ${source}`)
    }
    if (isOfPayment(one) && !paid.has(one.payment))
      return skipped(`No existing invoice found for Whop payment ${one.payment}`)
    const result = effectOf(one, all, first.sold.recurs)
    return 'notes' in result ? { notes: `${one.at} ${result.notes}` } : result
  }
}
