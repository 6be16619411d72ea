import { contact, contacts, isContactKept } from '../contacts/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { address } from './address/model.ts'
import { addresses } from './address/rules.ts'
import { domain } from './domain/model.ts'
import { isVerified } from './domain/view.ts'
import { delivery, mailing } from './mailing/model.ts'
import { placeOf } from './mailing/outcomes.ts'

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

/** Counts mails that came back with their recipient: an address that does not exist is suppressed, and so is one that refuses for a week. */
export const contactsKnowReturnedMail = policy({
  name: 'contacts-know-returned-mail',
  on: [mailing.event.MailReturned],
  async react({ data: { delivery_id, returned } }, documents) {
    const read = readerOver(documents)
    const mail = await read.one(delivery, delivery_id)
    // What becomes of a mail to a user of the team concerns no contact.
    if (!mail || mail.contact_id === null || returned === 'refused') return []
    if (returned === 'address') return [ask(contacts, mail.contact_id, 'suppress', { reason: 'bounced' })]
    const sent_at = mail.taken_at ?? mail.created_at
    const others = await read.find(delivery, { where: { contact_id: mail.contact_id } })
    const before = others.filter(({ taken_at }) => taken_at !== null && taken_at < sent_at)
    const last = before.reduce<(typeof before)[number] | undefined>(
      (latest, one) => (latest?.taken_at && latest.taken_at > (one.taken_at ?? '') ? latest : one),
      undefined,
    )
    const delivered_since = last !== undefined && last.status === 'sent'
    return [ask(contacts, mail.contact_id, 'softBounce', { sent_at, delivered_since })]
  },
})

/** Suppresses a contact who complained about a mail. */
export const complainersAreSuppressed = policy({
  name: 'complainers-are-suppressed',
  on: [mailing.event.MailComplainedAbout],
  async react({ data: { delivery_id } }, documents) {
    const mail = await readerOver(documents).one(delivery, delivery_id)
    const contactId = mail?.contact_id ?? null
    return contactId === null ? [] : [ask(contacts, contactId, 'suppress', { reason: 'complained' })]
  },
})

/** Suppresses the contacts whose mailbox does not exist, by the word of the server that mail was handed to. */
export const bouncedAreSuppressed = policy({
  name: 'bounced-are-suppressed',
  on: [mailing.event.DeliveriesSettled],
  when: ({ data: { outcomes } }) =>
    Array.isArray(outcomes) && outcomes.some((one) => Object(one).outcome === 'bounced'),
  async react({ stream, data: { outcomes } }, read) {
    const one = await read.get(mailing.name, parseStream(stream).id)
    const ids = Array.isArray(one?.contact_ids) ? one.contact_ids.map(Number) : []
    const bounced = outcomes.filter(({ outcome }) => outcome === 'bounced')
    const whose = bounced.flatMap(({ delivery_id }) => ids[placeOf(delivery_id)] ?? [])
    const found = await read.getMany(contact.name, whose)
    return whose
      .filter((_, index) => isContactKept(found[index] ?? {}))
      .map((id) => ask(contacts, id, 'suppress', { reason: 'bounced' }))
  },
})
