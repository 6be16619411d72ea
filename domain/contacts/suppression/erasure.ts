import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { contact } from '../contact/model.ts'
import { digestIn, isEmptyStanding, standingIn } from './contact-document.ts'
import { noteMailbox } from './rules.ts'

/** Returns the commands that keep what is known of the mailbox of a contact who is being erased. They name nobody. */
export const keptOfMailbox = async (contactId: number, read: FactReader): Promise<readonly Ask[]> => {
  const document = await read.get(contact.name, contactId)
  const digest = digestIn(document)
  if (!document || digest === undefined) return []
  const standing = standingIn(document)
  return isEmptyStanding(standing) ? [] : [noteMailbox(digest, standing)]
}
