import type { Letter } from '../../domain/emails/composing/compose.ts'
import { valuesFor } from '../../domain/emails/composing/values.ts'
import type { DeliveryRecord, SendableMailing, Sender } from '../../domain/emails/mailing/model.ts'
import type { ComposedMail, Mailbox } from '../../domain/kernel/ports/mail-transport.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'
import { download } from '../../domain/media/public.ts'
import { zoneOf, zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { MailDeps } from './mail-deps.ts'
import { mailboxFor, type Recipient } from './recipients.ts'
import type { Work } from './work.ts'

const mailboxWith = ({ name, address }: Sender): Mailbox => ({ name: name ?? '', address })

type LetterOf = Pick<Work, 'mailing' | 'returnDomain'>

/** Letters by their mailings: mails of the same one are composed together. */
const letters = new WeakMap<SendableMailing, Letter>()

/** Returns what all recipients of a mailing have in common. */
const letterOf = (of: LetterOf): Letter => {
  const known = letters.get(of.mailing)
  if (known) return known
  const letter = newLetter(of)
  letters.set(of.mailing, letter)
  return letter
}

const newLetter = ({ mailing: { content, sender, reply_to, domain }, returnDomain }: LetterOf): Letter => ({
  texts: content,
  from: mailboxWith(sender),
  replyTo: reply_to && mailboxWith(reply_to),
  footer: content.footer,
  tracksOpens: content.tracks_opens,
  tracksClicks: content.tracks_clicks,
  domain,
  returnDomain,
})

/** Adds links to the downloads that the values of a mailing name without one. They are made when the mail is, since they work for a day. */
const withLinks = (values: JsonObject, linkTo: (id: number) => string): JsonObject => {
  const { downloads } = values
  if (!Array.isArray(downloads)) return values
  const linked = (one: Json): Json => (isJsonObject(one) ? { url: linkTo(Number(one.id)), ...one } : one)
  return { ...values, downloads: downloads.map(linked) }
}

/** What a mail is composed from. */
interface Parts extends Pick<Work, 'mailing' | 'workspace' | 'returnDomain'> {
  readonly delivery: DeliveryRecord
  readonly recipient: Recipient
  readonly now: number
}

/** Whether a mail goes to an address that somebody has typed who may be anybody. It repeats nothing that was typed with it. */
const isToStranger = ({ kind }: SendableMailing): boolean => kind === 'opt_in_confirmation'

/** Composes the mail of a delivery. @throws {LiquidFailed} {AddressUnusable} where it cannot be written for this contact */
export const composed = (
  { mailing, returnDomain, delivery, recipient, workspace, now }: Parts,
  { composer, loader }: Pick<MailDeps, 'composer' | 'loader'>,
): Promise<ComposedMail> => {
  const { contact, user, values = {} } = recipient
  const linkTo = (id: number) => loader().download({ resource: download.name, id, workspaceId: mailing.workspace_id })
  const known = isToStranger(mailing) ? { id: contact.id } : contact
  return composer.compose({
    workspaceId: mailing.workspace_id,
    letter: letterOf({ mailing, returnDomain }),
    recipient: {
      deliveryId: delivery.id,
      to: { ...mailboxFor(recipient), ...(isToStranger(mailing) && { name: '' }) },
      isUser: user !== undefined,
      values: valuesFor({ ...withLinks(mailing.values, linkTo), ...values }, known),
      now,
      timeZone: contact.time_zone === null ? zoneOfWorkspace(workspace) : zoneOf(contact.time_zone),
    },
  })
}
