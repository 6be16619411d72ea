import { contact as contactModel } from '../../domain/contacts/public.ts'
import type { DeliveryRecord } from '../../domain/emails/mailing/model.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import type { MailDeps } from './mail-deps.ts'

export type Contact = RecordOf<typeof contactModel>

/** Returns a contact with its personal attributes in their places. */
const open = recordOf(contactModel)

/** Dependencies of reading contacts. */
export interface ContactsDeps extends Pick<MailDeps, 'log' | 'seen'> {
  readonly loader: () => Pick<ReturnType<MailDeps['loader']>, 'many'>
}

/** Reads the recipients of deliveries as they are at this moment, by their ids. */
export const contactsOf = async (
  { log, seen, loader }: ContactsDeps,
  deliveries: readonly Pick<DeliveryRecord, 'contact_id'>[],
): Promise<ReadonlyMap<number, Contact>> => {
  await seen({ position: await log.lastPosition() })
  const ids = deliveries.map(({ contact_id }) => contact_id)
  const found = (await loader().many(contactModel.name, ids)).map(open)
  return new Map(found.map((contact) => [contact.id, contact]))
}

const domainIn = (mailbox: string): string => mailbox.slice(mailbox.lastIndexOf('@') + 1)

/** Returns the receiving domain of a contact, in the spelling by which places are counted; empty: there is none. */
export const domainOf = (contact: Contact | undefined): string => domainIn(mailboxOf(contact?.email_address ?? ''))

/** Where the mails of a mailing go. */
export interface Mailboxes {
  /** Receiving domain of each delivery, in the spelling by which places are counted; empty: there is none. */
  readonly domains: ReadonlyMap<number, string>
  /** Deliveries to a mailbox that an earlier one of the mailing goes to. */
  readonly second: ReadonlySet<number>
}

/** Returns where deliveries go. */
export const mailboxesOf = (
  deliveries: readonly DeliveryRecord[],
  contacts: ReadonlyMap<number, Contact>,
): Mailboxes => {
  const domains = new Map<number, string>()
  const second = new Set<number>()
  const seen = new Set<string>()
  for (const { id, contact_id } of deliveries) {
    const mailbox = mailboxOf(contacts.get(contact_id)?.email_address ?? '')
    domains.set(id, domainIn(mailbox))
    if (mailbox === '') continue
    if (seen.has(mailbox)) second.add(id)
    seen.add(mailbox)
  }
  return { domains, second }
}
