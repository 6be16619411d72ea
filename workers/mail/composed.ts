import { compose, type Letter } from '../../domain/emails/composing/compose.ts'
import { valuesFor } from '../../domain/emails/composing/values.ts'
import { returnName } from '../../domain/emails/domain/records.ts'
import type { DeliveryRecord, SendableMailing, Sender } from '../../domain/emails/mailing/model.ts'
import type { ComposedMail, Mailbox } from '../../domain/kernel/ports/mail-transport.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { download } from '../../domain/media/public.ts'
import { zoneOf, zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { MailDeps } from './mail-deps.ts'
import { mailboxFor, type Recipient } from './recipients.ts'

const mailboxWith = ({ name, address }: Sender): Mailbox => ({ name: name ?? '', address })

/** Returns what all recipients of a mailing have in common. */
const letterOf = ({ content, sender, reply_to, domain }: SendableMailing): Letter => ({
  texts: content,
  from: mailboxWith(sender),
  replyTo: reply_to && mailboxWith(reply_to),
  footer: content.footer,
  tracksOpens: content.tracks_opens,
  tracksClicks: content.tracks_clicks,
  domain,
  returnDomain: returnName(domain),
})

/** Adds links to the downloads that the values of a mailing name without one. They are made when the mail is, since they work for a day. */
const withLinks = (values: JsonObject, linkTo: (id: number) => string): JsonObject => {
  const { downloads } = values
  if (!Array.isArray(downloads)) return values
  const linked = (one: Json): Json => (isJsonObject(one) ? { url: linkTo(Number(one.id)), ...one } : one)
  return { ...values, downloads: downloads.map(linked) }
}

/** What a mail is composed from. */
interface Parts {
  readonly mailing: SendableMailing
  readonly delivery: DeliveryRecord
  readonly recipient: Recipient
  readonly workspace: Document
  readonly now: number
}

/** Whether a mail goes to an address that somebody has typed who may be anybody. It repeats nothing that was typed with it. */
const isToStranger = ({ kind }: SendableMailing): boolean => kind === 'opt_in_confirmation'

/** Composes the mail of a delivery. @throws {LiquidFailed} {AddressUnusable} where it cannot be written for this contact */
export const composed = (
  { mailing, delivery, recipient, workspace, now }: Parts,
  { mailLinks, loader }: Pick<MailDeps, 'mailLinks' | 'loader'>,
): MaybePromise<ComposedMail> => {
  const { contact, user, values = {} } = recipient
  const linkTo = (id: number) => loader().download({ resource: download.name, id, workspaceId: mailing.workspace_id })
  const known = isToStranger(mailing) ? { id: contact.id } : contact
  return compose(
    letterOf(mailing),
    {
      deliveryId: delivery.id,
      to: { ...mailboxFor(recipient), ...(isToStranger(mailing) && { name: '' }) },
      isUser: user !== undefined,
      values: valuesFor({ ...withLinks(mailing.values, linkTo), ...values }, known),
      now,
      timeZone: contact.time_zone === null ? zoneOfWorkspace(workspace) : zoneOf(contact.time_zone),
    },
    mailLinks,
  )
}
