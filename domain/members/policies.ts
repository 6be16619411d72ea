import { contact } from '../contacts/contact/model.ts'
import { ask } from '../kernel/decide/ask.ts'
import type { FactReader } from '../kernel/decide/command.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { account } from './account/model.ts'
import { accounts } from './account/rules.ts'

/** Ends the links and sessions of a contact. @returns the command, where there is an account */
const revoked = async (contactId: number, documents: FactReader) => {
  const held = await readerOver(documents).find(account, { where: { contact_id: contactId } })
  return held.map(({ id }) => ask(accounts, id, 'revoke', {}))
}

/** Signs a contact out that has another address. What it had fits no more from the change on; this keeps it from coming back with the old address. */
export const movedMembersAreSignedOut = policy({
  name: 'moved-members-are-signed-out',
  on: [contact.event.ContactDetailsChanged],
  when: ({ data: { changed } }) => Array.isArray(changed) && changed.includes('email_address'),
  react: ({ stream }, documents) => revoked(parseStream(stream).id, documents),
})

/** Signs a contact out that is deleted or erased. */
export const goneMembersAreSignedOut = policy({
  name: 'gone-members-are-signed-out',
  on: [contact.event.ContactDeleted, contact.event.ContactRedacted],
  react: ({ stream }, documents) => revoked(parseStream(stream).id, documents),
})
