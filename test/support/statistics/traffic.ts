import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { type Random, random } from '../random.ts'

/** Funnel with some steps, as the events of visitors name it. */
export interface TrafficPlan {
  readonly seed: number
  readonly funnelId: number
  readonly stepIds: readonly number[]
  /** Number of sessions. */
  readonly sessions: number
  readonly from: number
  readonly to: number
  /** Share of sessions that happen in test mode, of 100. */
  readonly test?: number
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Event without its place in the log, and when it is recorded. */
interface Planned {
  readonly recordedAt: number
  readonly stream: string
  readonly type: string
  readonly data: JsonObject
}

const iso = (time: number): string => new Date(time).toISOString()

/** Pauses between the views of a session: mostly seconds, sometimes nearly as long as a session may be idle. */
const pause = ({ below, pick }: Random): number =>
  pick([below(20 * SECOND), below(3 * MINUTE), below(3 * MINUTE), below(29 * MINUTE)])

const viewOf = (plan: TrafficPlan, r: Random, live: boolean, stepId: number, at: number) => ({
  ...{ hit: 'h', load: 'l', number: 1, page_id: stepId, funnel_id: plan.funnelId, show_page_step_id: stepId },
  ...{ live_mode: live, bot: r.below(50) === 0, consent: r.below(20) !== 0, viewed_at: iso(at) },
})

/** Views of one session. Some arrive up to half an hour late, those of one step always in their order. */
const sessionEvents = (plan: TrafficPlan, r: Random, id: number): Planned[] => {
  const live = r.below(100) >= (plan.test ?? 10)
  const planned: Planned[] = []
  const stream = `visits/session-${id}`
  let at = plan.from + r.below(plan.to - plan.from)
  const count = 1 + r.below(r.below(4) === 0 ? 12 : 3)
  const previous = new Map<number, string>()
  const recorded = new Map<number, number>()
  for (let n = 0; n < count && at < plan.to; n++, at += pause(r)) {
    const stepId = r.pick(plan.stepIds)
    const view = viewOf(plan, r, live, stepId, at)
    const isCounted = view.consent && !view.bot
    const late = r.below(10) === 0 ? r.below(30 * MINUTE) : r.below(2 * SECOND)
    const recordedAt = Math.max(at + late, (recorded.get(stepId) ?? 0) + 1)
    recorded.set(stepId, recordedAt)
    planned.push({
      ...{ recordedAt, stream, type: 'PageViewed' },
      data: { ...view, previous_at: isCounted ? (previous.get(stepId) ?? null) : null },
    })
    if (isCounted) previous.set(stepId, view.viewed_at)
  }
  return planned
}

const submissionOf = (plan: TrafficPlan, r: Random, id: number, recordedAt: number, live: boolean): Planned => ({
  ...{ recordedAt, stream: `form_submission-${id}`, type: 'PageFormSubmitted' },
  data: {
    ...{ session_id: r.below(100), page_id: 1, show_page_step_id: r.pick(plan.stepIds), funnel_id: plan.funnelId },
    live_mode: live,
  },
})

const amount = (minor: number, currency: string): string =>
  currency === 'JPY' ? String(minor) : `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`

/** Events of an order that a step has sold: its first invoice, now and then renewals and a refund. */
const orderEvents = (plan: TrafficPlan, r: Random, id: number, soldAt: number, live: boolean): Planned[] => {
  const currency = r.pick(['USD', 'USD', 'USD', 'EUR', 'JPY'])
  const subscription = r.below(3) === 0
  const mixed = subscription && r.below(2) === 0
  const stream = `order-${id}`
  const [once, recurring] = [subscription && !mixed ? 0 : 1 + r.below(9999), subscription ? r.below(5000) : 0]
  const quantity = 1 + r.below(3)
  const planned: Planned[] = []
  const add = (recordedAt: number, type: string, data: JsonObject) => planned.push({ recordedAt, stream, type, data })
  add(soldAt, 'OrderPlaced', {
    ...{ live_mode: live, currency, payment_processor: 'stripe' },
    ...{ sold_funnel_id: plan.funnelId, sold_step_id: r.pick(plan.stepIds), sold_page_id: 1, session_id: 1 },
  })
  const bill = (number: number, at: number, first: boolean) => {
    const invoice_id = 10 * id + number
    const shipping = first && once > 0 ? r.below(500) : 0
    const paidOnce = first ? once : 0
    const total = paidOnce + recurring * quantity + shipping
    add(at, 'InvoiceIssued', { invoice_id, currency, subscription, total_amount: amount(total, currency) })
    const line = { invoice_id, discount: amount(0, currency) }
    if (paidOnce > 0)
      add(at, 'InvoiceLineItemIssued', {
        ...{ ...line, invoice_line_item_id: 1, payment_type: 'one_time', amount: amount(paidOnce, currency) },
        quantity: 1,
      })
    if (subscription)
      add(at, 'InvoiceLineItemIssued', {
        ...{ ...line, invoice_line_item_id: 2, payment_type: 'subscription', amount: amount(recurring, currency) },
        quantity,
      })
    const charge = { transaction_id: 100 * id + number, invoice_id, amount: amount(total, currency), currency }
    add(at, 'TransactionRecorded', { ...charge, external_type: 'sale', result: 'approved' })
    add(at, 'InvoicePaid', { invoice_id, subscription, first: true, recurring: subscription })
    if (r.below(6) > 0) return
    const [refundedAt, refund] = [at + r.below(5 * DAY), { ...charge, transaction_id: 100 * id + 50 + number }]
    add(refundedAt, 'TransactionRecorded', { ...refund, external_type: 'refund', result: 'approved' })
    if (r.below(3) > 0) return
    const reversedAt = refundedAt + r.below(DAY)
    add(reversedAt, 'TransactionRefundReversed', { transaction_id: refund.transaction_id, external_id: 'x' })
    add(reversedAt, 'InvoicePaid', { invoice_id, subscription, first: false, recurring: subscription })
  }
  bill(0, soldAt, true)
  for (let n = 1; subscription && n < r.below(5); n++) bill(n, soldAt + n * 7 * DAY, false)
  return planned
}

/** Returns random events of visitors of a funnel, in the order in which they are recorded. */
export const visitorTraffic = (plan: TrafficPlan): readonly RecordedEvent[] => {
  const r = random(plan.seed)
  const planned: Planned[] = []
  for (let id = 1; id <= plan.sessions; id++) {
    const views = sessionEvents(plan, r, id)
    for (const view of views) planned.push(view)
    const last = views.at(-1)
    if (!last) continue
    const live = last.data.live_mode === true
    for (let n = r.below(6) - 3; n > 0; n--)
      planned.push(submissionOf(plan, r, 10 * id + n, last.recordedAt + r.below(MINUTE), live))
    if (r.below(8) === 0)
      for (const one of orderEvents(plan, r, id, last.recordedAt + r.below(HOUR), live)) planned.push(one)
  }
  const revisions = new Map<string, number>()
  return planned
    .map((one, index) => ({ one, index }))
    .sort((a, b) => a.one.recordedAt - b.one.recordedAt || a.index - b.index)
    .map(({ one: { recordedAt, ...event } }, position): RecordedEvent => {
      const revision = revisions.get(event.stream) ?? 0
      revisions.set(event.stream, revision + 1)
      const metadata = { at: iso(recordedAt), actor: 'system', $correlationId: 'c', $causationId: 'c', workspace_id: 1 }
      return { ...event, id: `event-${position}`, revision, position, metadata }
    })
}
