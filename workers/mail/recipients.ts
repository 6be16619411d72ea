import { contact as contactModel, digestIn } from '../../domain/contacts/public.ts'
import { nameOf } from '../../domain/emails/composing/values.ts'
import type { DeliveryRecord, MailingRecord } from '../../domain/emails/mailing/model.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Mailbox } from '../../domain/kernel/ports/mail-transport.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { domainPart, mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import type { MailDeps } from './mail-deps.ts'

export type Contact = RecordOf<typeof contactModel>

/** Who gets a mail. */
export interface Recipient {
  /** Whose values its text has: the contact whom it is to, or about. */
  readonly contact: Contact
  /** Keyed digest of the address of the contact whom it is to. */
  readonly digest?: string
  /** User of the team whom it is to. */
  readonly user?: Document
  /** Values of the text that are only for this recipient. */
  readonly values?: JsonObject
}

/** Returns a contact with its personal attributes in their places. */
export const opened = recordOf(contactModel)

/** Returns the mailbox of a recipient. */
export const mailboxFor = ({ contact, user }: Recipient): Mailbox => ({
  name: nameOf(user ?? contact),
  address: user ? String(user.email) : (contact.email_address ?? ''),
})

type About = Pick<MailingRecord, 'about_contact_id'>

/** Dependencies of reading recipients. */
export interface RecipientsDeps extends Pick<MailDeps, 'log' | 'seen'> {
  readonly live: Pick<MailDeps['live'], 'getMany'>
  readonly loader: () => Pick<ReturnType<MailDeps['loader']>, 'many'>
}

type To = Pick<DeliveryRecord, 'id' | 'contact_id' | 'user_id'>

/** Recipients by the ids of their deliveries. */
type Recipients = ReadonlyMap<number, Recipient>

/** Reads the recipients of deliveries as they are at this moment. @param known recipients as they were: those that are the same since stay the same objects */
export const recipientsOf = async (
  deps: RecipientsDeps,
  deliveries: readonly To[],
  about: About,
  known: Recipients = new Map(),
): Promise<Recipients> => {
  await deps.seen({ position: await deps.log.lastPosition() })
  const same = await unchangedOf(deps.live, known)
  const others = deliveries.filter(({ id }) => !same.has(id))
  return others.length === 0 ? same : new Map([...same, ...(await readRecipients(deps, others, about))])
}

/** Returns the recipients whose documents are those that they were read from. Nothing of these is opened. */
const unchangedOf = async (live: RecipientsDeps['live'], known: Recipients): Promise<Recipients> => {
  if (known.size === 0) return known
  const all = [...known.values()]
  const members = all.flatMap(({ user }) => user ?? [])
  const contactIds = [...new Set(all.map(({ contact }) => contact.id))]
  const [people, users] = await Promise.all([
    live.getMany(contactModel.name, contactIds),
    members.length === 0 ? [] : live.getMany('user', [...new Set(members.map(({ id }) => id))]),
  ])
  const revisions = new Map(people.map((one) => [one?.id, one?.rev]))
  const revisionsOfUsers = new Map(users.map((one) => [one?.id, one?.rev]))
  const isSame = ({ contact, user }: Recipient) =>
    revisions.get(contact.id) === contact.rev && (!user || revisionsOfUsers.get(user.id) === user.rev)
  return new Map([...known].filter(([, one]) => isSame(one)))
}

const readRecipients = async (
  { loader }: Pick<RecipientsDeps, 'loader'>,
  deliveries: readonly To[],
  { about_contact_id: about }: About,
): Promise<Recipients> => {
  const load = loader()
  const ids = about === null ? deliveries.flatMap(({ contact_id }) => contact_id ?? []) : [about]
  const userIds = deliveries.flatMap(({ user_id }) => user_id ?? [])
  const [people, members] = await Promise.all([
    load.many(contactModel.name, ids),
    userIds.length === 0 ? [] : load.many('user', userIds),
  ])
  const contacts = new Map(people.map(opened).map((one) => [one.id, one]))
  const digests = new Map(people.map((one) => [Number(one.id), digestIn(one)]))
  const users = new Map(members.map((one) => [Number(one.id), one]))
  const found = new Map<number, Recipient>()
  for (const { id, contact_id, user_id } of deliveries) {
    const contact = contacts.get(contact_id ?? about ?? 0)
    const user = user_id === null ? undefined : users.get(user_id)
    const digest = contact && user_id === null ? digests.get(contact.id) : undefined
    if (contact && (user_id === null || user))
      found.set(id, { contact, ...(user && { user }), ...(digest !== undefined && { digest }) })
  }
  return found
}

/** Returns the mailbox of a recipient in the spelling by which mailboxes are compared; empty: there is none. */
const mailboxIn = (recipient: Recipient | undefined): string =>
  recipient ? mailboxOf(mailboxFor(recipient).address) : ''

/** Returns the receiving domain of a recipient, in the spelling by which places are counted; empty: there is none. */
export const domainOf = (recipient: Recipient | undefined): string => domainPart(mailboxIn(recipient))

/** Where the mails of a mailing go. */
export interface Mailboxes {
  /** Receiving domain of each delivery, in the spelling by which places are counted; empty: there is none. */
  readonly domains: ReadonlyMap<number, string>
  /** Deliveries to a mailbox that an earlier one of the mailing goes to. */
  readonly second: ReadonlySet<number>
}

/** Returns where deliveries go. */
export const mailboxesOf = (
  deliveries: readonly Pick<DeliveryRecord, 'id'>[],
  recipients: ReadonlyMap<number, Recipient>,
): Mailboxes => {
  const domains = new Map<number, string>()
  const second = new Set<number>()
  const seen = new Set<string>()
  for (const { id } of deliveries) {
    const mailbox = mailboxIn(recipients.get(id))
    domains.set(id, domainPart(mailbox))
    if (mailbox === '') continue
    if (seen.has(mailbox)) second.add(id)
    seen.add(mailbox)
  }
  return { domains, second }
}
