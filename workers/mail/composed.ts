import type { contact as contactModel } from '../../domain/contacts/public.ts'
import { compose, type Letter } from '../../domain/emails/composing/compose.ts'
import { nameOf, valuesFor } from '../../domain/emails/composing/values.ts'
import { returnName } from '../../domain/emails/domain/records.ts'
import type { DeliveryRecord, SendableMailing, Sender } from '../../domain/emails/mailing/model.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { MailLinks } from '../../domain/kernel/ports/mail-links.ts'
import type { ComposedMail, Mailbox } from '../../domain/kernel/ports/mail-transport.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { zoneOf, zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'

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

/** What a mail is composed from. */
interface Parts {
  readonly mailing: SendableMailing
  readonly delivery: DeliveryRecord
  readonly contact: RecordOf<typeof contactModel>
  readonly workspace: Document
  readonly now: number
}

/** Whether a mail goes to an address that somebody has typed who may be anybody. It repeats nothing that was typed with it. */
const isToStranger = ({ kind }: SendableMailing): boolean => kind === 'opt_in_confirmation'

/** Composes the mail of a delivery. @throws {LiquidFailed} {AddressUnusable} where it cannot be written for this contact */
export const composed = ({ mailing, delivery, contact, workspace, now }: Parts, links: MailLinks): ComposedMail => {
  const known = isToStranger(mailing) ? { id: contact.id } : contact
  return compose(
    letterOf(mailing),
    {
      deliveryId: delivery.id,
      to: { name: nameOf(known), address: contact.email_address ?? '' },
      values: valuesFor(mailing.values, known),
      now,
      timeZone: contact.time_zone === null ? zoneOfWorkspace(workspace) : zoneOf(contact.time_zone),
    },
    links,
  )
}
