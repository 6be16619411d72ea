import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import type { MailReport, RecipientReport } from '../../kernel/ports/mail-reports.ts'
import { isOurFault, type OurFault, refusalOf } from '../refusals/refusal-of.ts'
import { type delivery, mailing } from './model.ts'
import { withPurpose } from './told-purpose.ts'

const { event } = mailing
type Happens = Events<typeof mailing>
type Delivery<Input> = ActContext<typeof delivery, Input>

/**
 * What a report says of a mail that came back. `address`: its mailbox does not exist. `refused`: this mail is not taken, whoever it is for. `later`: it could
 * not be delivered within the time that servers try, or found no way to its domain.
 */
export const RETURNS = ['later', 'refused', 'address'] as const
export type Returned = (typeof RETURNS)[number]

/** Statuses that say no more than that a mail failed. Some servers (Exim) give these alone. */
const VAGUE = /^5\.0\.0$/

type Return = {
  readonly returned: Returned
  readonly status: string | null
  /** What is about us, so that it meets other mails too. */
  readonly fault?: OurFault
}

const meaningOf = ({ action, status, diagnostic }: RecipientReport): Return | undefined => {
  if (action !== 'failed') return undefined
  if (status?.startsWith('4.')) return { returned: 'later', status }
  const about = refusalOf({ enhanced: status, text: diagnostic })
  // A domain that is not found today is found tomorrow, or never: those who are mailed again tell.
  if (about === 'later' || about === 'domain') return { returned: 'later', status }
  if (isOurFault(about)) return { returned: 'refused', status, fault: about }
  if (about !== 'mailbox') return { returned: 'refused', status }
  return { returned: 'address', status: status === null || VAGUE.test(status) ? '5.1.1' : status }
}

/**
 * Returns what a report says of a mail to one recipient, with its enhanced code; `undefined`: nothing.
 *
 * @param isRecipient whether the mail went to an address. A recipient with another one got it from somebody who passed it on
 */
export const returnIn = (report: MailReport, isRecipient: (address: string) => boolean): Return | undefined => {
  if (report.kind !== 'delivery') return undefined
  for (const one of report.recipients) {
    if (one.addresses.length > 0 && !one.addresses.some(isRecipient)) continue
    const came = meaningOf(one)
    if (came !== undefined) return came
  }
  return undefined
}

/** Records that a mail came back. The same report again changes nothing, and a graver one counts after a milder one. */
const comeBack = ({ id, before, wanted: { returned, status, fault }, records }: Delivery<Return>): Happens => {
  const known = (RETURNS as readonly (string | null)[]).indexOf(before.returned)
  const facts = { was: before.status, ...(fault && { fault }), ...withPurpose(records) }
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
