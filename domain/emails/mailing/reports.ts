import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import type { MailReport, RecipientReport } from '../../kernel/ports/mail-reports.ts'
import { type delivery, mailing } from './model.ts'
import { withPurpose } from './told-purpose.ts'

const { event } = mailing
type Happens = Events<typeof mailing>
type Delivery<Input> = ActContext<typeof delivery, Input>

/**
 * What a report says of a mail that came back. `address`: its mailbox does not exist. `refused`: this mail is not taken, whoever it is for. `later`: it could
 * not be delivered within the time that servers try.
 */
export const RETURNS = ['later', 'refused', 'address'] as const
export type Returned = (typeof RETURNS)[number]

/** Enhanced codes that name the mailbox or its domain as not existing. */
export const NO_MAILBOX: readonly string[] = ['5.1.1', '5.1.2', '5.1.10', '5.4.4']

const meaningOf = ({ action, status }: RecipientReport): Returned | undefined => {
  if (action !== 'failed') return undefined
  if (status?.startsWith('4.')) return 'later'
  return status !== null && NO_MAILBOX.includes(status) ? 'address' : 'refused'
}

/** Returns what a report says of a mail to one recipient, with its enhanced code; `undefined`: nothing. */
export const returnIn = (
  report: MailReport,
): { readonly returned: Returned; readonly status: string | null } | undefined => {
  if (report.kind !== 'delivery') return undefined
  for (const one of report.recipients) {
    const returned = meaningOf(one)
    if (returned !== undefined) return { returned, status: one.status }
  }
  return undefined
}

type WantedReturn = { readonly returned: Returned; readonly status: string | null }

/** Records that a mail came back. The same report again changes nothing, and a graver one counts after a milder one. */
const comeBack = ({ id, before, wanted: { returned, status }, records }: Delivery<WantedReturn>): Happens => {
  const known = (RETURNS as readonly (string | null)[]).indexOf(before.returned)
  const facts = { was: before.status, ...withPurpose(records) }
  return RETURNS.indexOf(returned) > known ? [event.MailReturned({ delivery_id: id, returned, status, ...facts })] : []
}

/** Records that the recipient complained about a mail, once. */
const complain = ({ id, before, records }: Delivery<unknown>): Happens =>
  before.complained_at === null ? [event.MailComplainedAbout({ delivery_id: id, ...withPurpose(records) })] : []

/** Records that somebody unsubscribed by a link of a mail, once. */
const leave = ({ id, before, records }: Delivery<unknown>): Happens =>
  before.unsubscribed_at === null ? [event.MailUnsubscribedBy({ delivery_id: id, ...withPurpose(records) })] : []

type WantedSale = { readonly order_id: number; readonly amount: string; readonly currency: string }

/** Records that the recipient bought something after a click in the mail, once for an order. */
const sell = ({ id, before, records, wanted: { order_id, amount, currency } }: Delivery<WantedSale>): Happens =>
  before.order_ids.includes(order_id)
    ? []
    : [event.SaleFollowed({ delivery_id: id, order_id, amount, currency, ...withPurpose(records) })]

/** Acts of what is heard of a mail. */
export const reportActs = { comeBack, complain, leave, sell }
