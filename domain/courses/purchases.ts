import { ask } from '../kernel/decide/ask.ts'
import { type Reader, readerOver } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { order } from '../orders/order/model.ts'
import {
  BOUGHT,
  ENTITLING,
  type Entitlement,
  entitlementsByLines,
  entitlementsOf,
  firstPaid,
  isOpenAt,
  mayEntitle,
} from '../orders/public.ts'
import { includedIn } from '../store/public.ts'
import { enrolling } from './enrolling.ts'
import { enrollment, type Grant, isInForce } from './enrollment/model.ts'
import { enrollments } from './enrollment/rules.ts'

/** Returns the command by which an enrolment follows those lines that are among what gave access to it; none where none is. */
const followed = (
  { id, grants }: Pick<RecordOf<typeof enrollment>, 'id' | 'grants'>,
  lines: readonly Entitlement[],
) => {
  const given = new Set(grants.flatMap(({ source_type, source_id }) => (source_type === BOUGHT ? source_id : [])))
  const standings = lines
    .filter(({ line_id }) => given.has(line_id))
    .map(({ line_id, isOpen, ends_at }) => ({ source_type: BOUGHT, source_id: line_id, isOpen, ends_at }))
  return standings.length > 0 ? [ask(enrollments, id, 'follow', { standings })] : []
}

const isGivenByPurchase = ({ grants }: Pick<RecordOf<typeof enrollment>, 'grants'>): boolean =>
  grants.some(({ source_type }) => source_type === BOUGHT)

/**
 * Returns grants as they are at a time by what is held of their payments. Policies end a grant after whoever gave the money back has been answered; who opens
 * a course asks here, and does not wait for them.
 */
export const grantsNow = async (grants: readonly Grant[], at: string, read: Reader): Promise<readonly Grant[]> => {
  const bought = grants.flatMap((one) => (one.source_type === BOUGHT && isInForce(one, at) ? one.source_id : []))
  if (bought.length === 0) return grants
  const lines = await entitlementsByLines(bought, read)
  const closed = new Set(lines.flatMap((line) => (isOpenAt(line, at) ? [] : line.line_id)))
  const isClosed = ({ source_type, source_id }: Grant) => source_type === BOUGHT && closed.has(source_id)
  return grants.map((one) => (isClosed(one) ? { ...one, ended_at: one.ended_at ?? at } : one))
}

/** Enrolls the buyers of variants in the courses that these include, when they are first paid, and ends and renews that access with what was paid for it. */
export const purchasesGiveCourses = policy({
  name: 'purchases-give-courses',
  on: ENTITLING,
  when: mayEntitle,
  async react({ type, stream, data }, documents) {
    const read = readerOver(documents)
    const { id } = parseStream(stream)
    const sold = await read.one(order, id)
    if (!sold) return []
    const held = await read.find(enrollment, { where: { contact_id: sold.contact_id } })
    const paid = firstPaid({ type, data })
    if (paid === undefined && !held.some(isGivenByPurchase)) return []
    const lines = await entitlementsOf(id, read)
    const bought = lines.filter(({ invoice_id, isBought }) => isBought && invoice_id === paid)
    const given = await Promise.all(
      bought.map(async ({ line_id, variant_id }) => {
        const cause = { source_type: BOUGHT, source_id: line_id }
        return enrolling(sold.contact_id, await includedIn(variant_id, read), cause, read)
      }),
    )
    return [...given.flat(), ...held.flatMap((one) => followed(one, lines))]
  },
})

/** Ends access that a purchase gave after what was paid for it had been given back: the order did not show the enrolment yet, or the reverse. */
export const enrolledFollowPurchases = policy({
  name: 'enrolled-follow-purchases',
  on: [enrollment.event.ContactEnrolled, enrollment.event.AccessGranted, enrollment.event.ContactEnrolledAgain],
  async react({ stream }, documents) {
    const read = readerOver(documents)
    const { id } = parseStream(stream)
    const own = await read.one(enrollment, id)
    if (!own) return []
    const ids = own.grants.flatMap((one) => (one.source_type === BOUGHT ? one.source_id : []))
    return followed(own, await entitlementsByLines(ids, read))
  },
})
