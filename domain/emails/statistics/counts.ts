import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { mailing, type Settled } from '../mailing/model.ts'
import { OUTCOMES, type Outcome } from '../mailing/outcomes.ts'

const { event } = mailing

/** What is counted of mails, by the time at which it happened. */
export const COUNTED = [
  'sends',
  'failed',
  'bounced',
  'opened',
  'unique_opens',
  'clicked',
  'unique_clicks',
  'unsubscribed',
  'spam_complaints',
  'machine_fetches',
] as const

export type Counted = (typeof COUNTED)[number]
export type Counts = { readonly [name in Counted]?: number }

/** Numbers that are added to mails by what became of them, or taken away. */
export type Moved = { readonly [outcome in Outcome]?: number }

type Happened = { readonly type: string; readonly data: JsonObject }

const isOutcome = (value: Json | undefined): value is Outcome => OUTCOMES.some((outcome) => outcome === value)

const settledIn = ({ outcomes }: JsonObject): readonly Outcome[] =>
  ((outcomes ?? []) as unknown as readonly Settled[]).map(({ outcome }) => outcome).filter(isOutcome)

/** Returns how many mails an event moves to an outcome, and away from another. */
export const movedBy = ({ type, data }: Happened): Moved => {
  const moved: { [outcome in Outcome]?: number } = {}
  const move = (outcome: Json | undefined, by: number) => {
    if (isOutcome(outcome)) moved[outcome] = (moved[outcome] ?? 0) + by
  }
  if (type === event.DeliveriesSettled.type) for (const outcome of settledIn(data)) move(outcome, 1)
  if (type === event.DoubtSettled.type) {
    move('in_doubt', -1)
    move(data.outcome, 1)
  }
  if (type === event.MailReturned.type) {
    move(data.was, -1)
    move(data.returned === 'refused' ? 'failed' : 'bounced', 1)
  }
  if (type === event.DeliveryOrderedAgain.type) move(data.was, -1)
  return moved
}

const fetches = ({ opens, clicks, machines, first_open, first_click }: JsonObject): Counts => {
  const isFirst = first_open === true
  return {
    opened: Math.max(Number(opens), Number(isFirst)),
    unique_opens: Number(isFirst),
    clicked: Number(clicks),
    unique_clicks: Number(first_click === true),
    machine_fetches: Number(machines),
  }
}

/** Returns what an event adds to the numbers of a broadcast or step. A mail that comes to an outcome is counted then, whatever it had before. */
export const countsOf = (happened: Happened): Counts => {
  const { type, data } = happened
  switch (type) {
    case event.DeliveriesSettled.type:
    case event.DoubtSettled.type:
    case event.MailReturned.type: {
      const { sent = 0, kept = 0, failed = 0, bounced = 0 } = movedBy(happened)
      const come = (number: number) => Math.max(0, number)
      return { sends: come(sent) + come(kept), failed: come(failed), bounced: come(bounced) }
    }
    case event.FetchesJudged.type:
      return fetches(data)
    case event.MailFetched.type:
      return { machine_fetches: Number(data.machine === true) }
    case event.MailComplainedAbout.type:
      return { spam_complaints: 1 }
    case event.MailUnsubscribedBy.type:
      return { unsubscribed: 1 }
    default:
      return {}
  }
}

/** A sale that followed a click in a mail. */
export interface MailSale {
  readonly currency: string
  readonly amount: string
}

/** Returns the sale that an event ascribes to a mail. */
export const saleOf = ({ type, data }: Happened): MailSale | undefined =>
  type === event.SaleFollowed.type ? { currency: String(data.currency), amount: String(data.amount) } : undefined

/** Orders and what they brought, in minor units as text. */
export interface Revenue {
  readonly orders: number
  readonly total: bigint
}

/** Reads the revenue in a currency out of a cell. */
export const revenueIn = (cell: JsonObject, currency: string): Revenue => {
  const sums = isJsonObject(cell.revenue) ? cell.revenue[currency] : undefined
  return isJsonObject(sums)
    ? { orders: Number(sums.orders), total: BigInt(String(sums.total)) }
    : { orders: 0, total: 0n }
}
