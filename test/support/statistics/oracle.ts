import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import type { Asked, Totals } from '../../../domain/statistics/totals.ts'

/** Numbers of a step or a funnel, as plain values that can be compared. */
export interface PlainTotals {
  readonly views: number
  readonly unidentified: number
  readonly sessions: number
  readonly optins: number
  readonly sales: Readonly<Record<string, object>>
}

/** Returns totals as plain values. Currencies without any number are left out. */
export const plain = ({ views, unidentified, sessions, optins, sales }: Totals): PlainTotals => ({
  ...{ views, unidentified, sessions, optins },
  sales: Object.fromEntries(
    [...sales].flatMap(([currency, sums]) => {
      const numbers = Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, String(value)]))
      return Object.values(numbers).some((value) => value !== '0') ? [[currency, numbers]] : []
    }),
  ),
})

interface Sale {
  readonly event: RecordedEvent
  readonly currency: string
  readonly sums: Readonly<Record<string, bigint>>
}

const minor = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''))

/** Returns what the events of one order count for, from the whole of its history. */
const salesOf = (events: readonly RecordedEvent[]): readonly Sale[] => {
  const lines = events.filter(({ type }) => type === 'InvoiceLineItemIssued').map(({ data }) => data)
  const firstPaid = events.find(({ type, data }) => type === 'InvoicePaid' && data.first === true)
  return events.flatMap((event): Sale[] => {
    const { type, data } = event
    if (type === 'TransactionRecorded' && data.external_type === 'refund')
      return [{ event, currency: String(data.currency), sums: { refunds: minor(data.amount) } }]
    if (type === 'TransactionRefundReversed') {
      const refund = events.find(
        (one) => one.type === 'TransactionRecorded' && one.data.transaction_id === data.transaction_id,
      )!.data
      return [{ event, currency: String(refund.currency), sums: { refunds: -minor(refund.amount) } }]
    }
    if (type !== 'InvoicePaid' || data.first !== true) return []
    const invoice = events.find((one) => one.type === 'InvoiceIssued' && one.data.invoice_id === data.invoice_id)!.data
    const own = lines.filter(({ invoice_id }) => invoice_id === data.invoice_id)
    const hasOnce = own.some(({ payment_type }) => payment_type === 'one_time')
    const recurring = own
      .filter(({ payment_type }) => payment_type !== 'one_time')
      .reduce((sum, { amount, quantity }) => sum + minor(amount) * BigInt(Number(quantity)), 0n)
    const isFirst = event === firstPaid
    return [
      {
        event,
        currency: String(invoice.currency),
        sums: {
          ...{ recurring, upfront: minor(invoice.total_amount) - recurring },
          sales: isFirst ? 1n : 0n,
          upfront_sales: isFirst && hasOnce ? 1n : 0n,
          started: isFirst && invoice.subscription === true ? 1n : 0n,
        },
      },
    ]
  })
}

const NAMES = ['sales', 'upfront_sales', 'started', 'upfront', 'recurring', 'refunds']

/** Answers questions by looking at every event, and keeping no sums. */
export const oracleOver = (events: readonly RecordedEvent[]) => {
  const byOrder = new Map<string, RecordedEvent[]>()
  for (const event of events)
    if (event.stream.startsWith('order-')) byOrder.set(event.stream, [...(byOrder.get(event.stream) ?? []), event])
  const sales = [...byOrder.values()].flatMap((all) => salesOf(all).map((sale) => ({ ...sale, placed: all[0]!.data })))
  return ({ funnelId, live, window, recordedUntil }: Omit<Asked, 'stepIds'>, stepId?: number): PlainTotals => {
    const [from, to] = [new Date(window.from).toISOString(), new Date(window.to).toISOString()]
    const until = recordedUntil === undefined ? '9' : new Date(recordedUntil).toISOString()
    const isKnown = ({ metadata }: RecordedEvent) => metadata.at <= until
    const isOf = (data: JsonObject, prefix = '') =>
      data[`${prefix}funnel_id`] === funnelId &&
      data.live_mode === live &&
      (stepId === undefined || data[prefix === '' ? 'show_page_step_id' : `${prefix}step_id`] === stepId)
    const isIn = (time: unknown) => String(time) >= from && String(time) < to
    const views = events.filter(
      (event) =>
        event.type === 'PageViewed' &&
        isKnown(event) &&
        isOf(event.data) &&
        isIn(event.data.viewed_at) &&
        !event.data.bot,
    )
    const sums = new Map<string, Record<string, bigint>>()
    for (const { event, currency, sums: added, placed } of sales) {
      if (!isKnown(event) || !isOf(placed, 'sold_') || !isIn(event.metadata.at)) continue
      const before = sums.get(currency)
      sums.set(currency, Object.fromEntries(NAMES.map((name) => [name, (before?.[name] ?? 0n) + (added[name] ?? 0n)])))
    }
    return {
      views: views.length,
      unidentified: views.filter(({ data }) => data.consent === false).length,
      sessions:
        stepId === undefined ? 0 : new Set(views.flatMap(({ data, stream }) => (data.consent ? stream : []))).size,
      optins: events.filter(
        (event) => event.type === 'PageFormSubmitted' && isKnown(event) && isOf(event.data) && isIn(event.metadata.at),
      ).length,
      sales: Object.fromEntries(
        [...sums].flatMap(([currency, all]) =>
          Object.values(all).some((value) => value !== 0n)
            ? [[currency, Object.fromEntries(NAMES.map((name) => [name, String(all[name])]))]]
            : [],
        ),
      ),
    }
  }
}
