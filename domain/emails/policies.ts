import { contact, digestIn, noteMailbox, standingIn } from '../contacts/public.ts'
import { type Ask, ask } from '../kernel/decide/ask.ts'
import type { FactReader } from '../kernel/decide/command.ts'
import { type Reader, readerOver } from '../kernel/decide/rules.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { address } from './address/model.ts'
import { addresses } from './address/rules.ts'
import { domain } from './domain/model.ts'
import { isVerified } from './domain/view.ts'
import { type DeliveryRecord, delivery, mailing, type Settled } from './mailing/model.ts'
import { addressOf } from './mailing/sent-to.ts'

/** Notes with the senders of a domain whether its mail is authenticated, since lists of senders are narrowed by it. */
export const sendersKnowTransport = policy({
  name: 'senders-know-transport',
  on: [domain.event.SendingDomainChecked],
  async react({ stream, data }, read) {
    const { id } = parseStream(stream)
    const senders = await read.find(address.name, { where: { emails_domain_id: id } })
    const verified = isVerified(data)
    return senders
      .filter((one) => one.transport_verified !== verified)
      .map((one) => ask(addresses, Number(one.id), 'noteTransport', { verified }))
  },
})

/** A contact, as its document is. */
type Found = Document | undefined

/** Returns a mail to a contact, with the digest of the address that it went to; `undefined`: there is none. */
const mailOf = async (deliveryId: number, documents: FactReader) => {
  const mail = await readerOver(documents).one(delivery, deliveryId)
  // What becomes of a mail to a user of the team concerns no contact.
  if (!mail || mail.contact_id === null) return undefined
  const found = await documents.get(contact.name, mail.contact_id)
  const digest = addressOf(mail, found)
  return digest === undefined ? undefined : { mail, digest, contact_id: mail.contact_id, found }
}

type SentMail = NonNullable<Awaited<ReturnType<typeof mailOf>>>

/** Returns the mailbox of a mail, which has sent it back, as it counts mails in a row. */
const countSoftBounce = async ({ mail, digest, contact_id, found }: SentMail, read: Reader): Promise<Ask> => {
  const sent_at = mail.taken_at ?? mail.created_at
  const others = await read.find(delivery, { where: { contact_id } })
  const before = others.filter((one) => one.taken_at !== null && one.taken_at < sent_at && isTo(digest, one, found))
  const last = before.reduce<(typeof before)[number] | undefined>(
    (latest, one) => (latest?.taken_at && latest.taken_at > (one.taken_at ?? '') ? latest : one),
    undefined,
  )
  const delivered_since = last !== undefined && last.status === 'sent'
  // Counted by a former version.
  const counted = found && digestIn(found) === digest ? standingIn(found).soft_bounces : null
  return noteMailbox(digest, { contact_id, soft_bounces: counted, soft_bounce: { sent_at, delivered_since } })
}

const isTo = (digest: string, one: DeliveryRecord, found: Found): boolean => addressOf(one, found) === digest

/** Counts mails that came back with the address that they went to: one that does not exist is suppressed, and so is one that refuses for a week. */
export const contactsKnowReturnedMail = policy({
  name: 'contacts-know-returned-mail',
  on: [mailing.event.MailReturned],
  async react({ data: { delivery_id, returned } }, documents) {
    if (returned === 'refused') return []
    const sent = await mailOf(delivery_id, documents)
    if (!sent) return []
    const { digest, contact_id } = sent
    return returned === 'address'
      ? [noteMailbox(digest, { contact_id, reason: 'bounced' })]
      : [await countSoftBounce(sent, readerOver(documents))]
  },
})

/** Suppresses the address to which the mail went that somebody complained about. */
export const complainersAreSuppressed = policy({
  name: 'complainers-are-suppressed',
  on: [mailing.event.MailComplainedAbout],
  async react({ data: { delivery_id } }, documents) {
    const sent = await mailOf(delivery_id, documents)
    return sent ? [noteMailbox(sent.digest, { contact_id: sent.contact_id, reason: 'complained' })] : []
  },
})

/** Keeps with the address to which a mail went that somebody has unsubscribed by it, whatever address they have now. */
export const addressesKnowWhoLeft = policy({
  name: 'addresses-know-who-left',
  on: [mailing.event.MailUnsubscribedBy],
  async react({ data: { delivery_id } }, documents) {
    const sent = await mailOf(delivery_id, documents)
    return sent ? [noteMailbox(sent.digest, { contact_id: sent.contact_id, unsubscribed: true })] : []
  },
})

/** Suppresses addresses whose mailbox does not exist, by the word of the server that mail was handed to. One without a domain counts as if it came back. */
export const bouncedAreSuppressed = policy({
  name: 'bounced-are-suppressed',
  on: [mailing.event.DeliveriesSettled],
  when: ({ data: { outcomes } }) =>
    Array.isArray(outcomes) && outcomes.some((one) => isBounced(Object(one)) || isWithoutDomain(Object(one))),
  async react({ data: { outcomes } }, documents) {
    const read = readerOver(documents)
    const asked = outcomes
      .filter((one) => isBounced(one) || isWithoutDomain(one))
      .map(async (one) => {
        const sent = await mailOf(one.delivery_id, documents)
        if (!sent) return []
        const { digest, contact_id } = sent
        return isBounced(one) ? noteMailbox(digest, { contact_id, reason: 'bounced' }) : countSoftBounce(sent, read)
      })
    return (await Promise.all(asked)).flat()
  },
})

const isBounced = ({ outcome }: Pick<Settled, 'outcome'>): boolean => outcome === 'bounced'
const isWithoutDomain = ({ outcome, reason }: Pick<Settled, 'outcome' | 'reason'>): boolean =>
  outcome === 'failed' && reason === 'no_domain'
