import { type Ask, ask } from '../../kernel/decide/ask.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { policy } from '../../kernel/react/policy.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { contact } from '../contact/model.ts'
import { contacts } from '../contact/rules.ts'
import { digestIn, emailSinceIn, hadAddressAt, isEmptyStanding, type Standing, standingIn } from './contact-document.ts'
import { knownMailbox } from './known-mailboxes.ts'
import { suppression } from './model.ts'
import { ABOUT_ADDRESS, reasonIn } from './reasons.ts'
import { noteMailbox, suppressions } from './rules.ts'

type Suppression = RecordOf<typeof suppression>

/** Returns the commands by which a contact follows what is known of its address. */
const following = ({ reason, unsubscribed_at, soft_bounces }: Suppression, document: Document): readonly Ask[] => {
  const id = Number(document.id)
  const email_since = emailSinceIn(document)
  return [
    ...(soft_bounces === null ? [] : [ask(contacts, id, 'softBounce', { soft_bounces, email_since })]),
    ...(reason === null ? [] : [ask(contacts, id, 'suppress', { reason, email_since })]),
    ...(unsubscribed_at === null ? [] : [ask(contacts, id, 'unsubscribe', { email_since })]),
  ]
}

/** Whoever has an address now follows what becomes known of it. Of one that they had before, nothing follows. */
export const contactsFollowTheirMailbox = policy({
  name: 'contacts-follow-their-mailbox',
  on: [
    suppression.event.MailboxSuppressed,
    suppression.event.MailboxSoftBounced,
    suppression.event.MailboxUnsubscribed,
    suppression.event.MailboxSuppressionLifted,
  ],
  async react({ stream, type, metadata }, documents) {
    const known = await readerOver(documents).one(suppression, parseStream(stream).id)
    if (!known) return []
    const where = { workspace_id: metadata.workspace_id ?? 0, listed: true, email_digest: known.digest }
    const found = await documents.find(contact.name, { where })
    const isLifted = type === suppression.event.MailboxSuppressionLifted.type
    return found.flatMap((one) =>
      isLifted && known.reason === null
        ? ask(contacts, Number(one.id), 'liftSuppression', {
            ...{ soft_bounces: known.soft_bounces, email_since: emailSinceIn(one) },
          })
        : following(known, one),
    )
  },
})

/** An address that a contact gets takes what the person has said at a former one. */
export const addressesTakeWhatIsSaid = policy({
  name: 'addresses-take-what-is-said',
  on: [contact.event.ContactDetailsChanged],
  when: ({ data: { changed } }) => Array.isArray(changed) && changed.includes('email_address'),
  async react({ stream, metadata }, documents) {
    const { id } = parseStream(stream)
    const document = await documents.get(contact.name, id)
    const digest = digestIn(document)
    if (!document || digest === undefined || !hadAddressAt(document, metadata.at)) return []
    const { reason, unsubscribed } = standingIn(document)
    const said = { reason: ABOUT_ADDRESS.includes(reason ?? '') ? null : reason, unsubscribed }
    return said.reason === null && !unsubscribed ? [] : [noteMailbox(digest, { contact_id: id, ...said })]
  },
})

/** Returns what an event says of a contact's mailbox. */
const saidBy = (type: string, data: object): Partial<Standing> => {
  if (type === contact.event.ContactUnsubscribed.type) return { unsubscribed: true }
  return 'email_suppression_reason' in data ? { reason: reasonIn(data.email_suppression_reason) } : {}
}

/** A mailbox remembers what its contact said of it, and what was known of it when the contact left. */
export const mailboxesRemember = policy({
  name: 'mailboxes-remember',
  on: [
    contact.event.ContactUnsubscribed,
    contact.event.ContactEmailSuppressed,
    contact.event.ContactResubscribed,
    contact.event.ContactDeleted,
  ],
  async react({ stream, type, data, metadata }, documents) {
    const { id: contact_id } = parseStream(stream)
    const document = await documents.get(contact.name, contact_id)
    const digest = digestIn(document)
    // It has another address since, and has left this with the former one.
    if (!document || digest === undefined || !hadAddressAt(document, metadata.at)) return []
    if (type === contact.event.ContactResubscribed.type) {
      const known = await knownMailbox(documents, metadata.workspace_id, digest)
      return known ? [ask(suppressions, known.id, 'resubscribe', {})] : []
    }
    // What a former version has noted with the contact alone is remembered as well.
    const said = { ...standingIn(document), ...saidBy(type, data) }
    return isEmptyStanding(said) ? [] : [noteMailbox(digest, { contact_id, ...said })]
  },
})

/** What is known of an address stays with it when its contact gets another. */
export const addressesKeepWhatIsKnown = policy({
  name: 'addresses-keep-what-is-known',
  on: [contact.event.ContactAddressLeft],
  react: ({ stream, data: { digest, reason, unsubscribed, soft_bounces } }) => [
    noteMailbox(digest, {
      contact_id: parseStream(stream).id,
      ...{ reason: reasonIn(reason), unsubscribed, soft_bounces },
    }),
  ],
})
