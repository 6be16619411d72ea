import type { WriteInput } from '../kinds/operation.ts'
import { inside } from '../kinds/view.ts'
import { contactResource } from './contact/index.ts'
import { EMAIL_DIGEST } from './contact/lookup.ts'

/** A contact as its own endpoint shows it, for records that carry it whole. */
export const contactWhole = inside(contactResource)

/** Id of the contact of a workspace with an e-mail address, one that was deleted aside. */
export const contactByEmail = async (
  email: string,
  { owner, read, vault }: Pick<WriteInput, 'owner' | 'read' | 'vault'>,
): Promise<number | undefined> => {
  const where = { workspace_id: Number(owner?.id), listed: true, email_digest: vault.token(EMAIL_DIGEST, email) }
  const [found] = await read.find('contact', { where, limit: 1 })
  return found && Number(found.id)
}
