import type { FactReader } from '../kernel/decide/command.ts'
import type { Vault } from '../kernel/ports/vault.ts'
import { embeddedShape } from '../resources/view.ts'
import { contactResource } from './contact/index.ts'
import { EMAIL_DIGEST } from './contact/lookup.ts'

export { contact } from './contact/model.ts'
export { contacts } from './contact/rules.ts'
export { contactShort as contactNamed } from './contact/view.ts'

/** Shape of a contact as its own endpoint shows it, for records that contain all of it. */
export const contactWhole = embeddedShape(contactResource)

/** Returns the id of the contact with an e-mail address in a workspace; `undefined` if there is none or it is deleted or erased. */
export const contactByEmail = async (
  email: string,
  {
    owner,
    read,
    vault,
  }: { readonly owner?: { readonly id: number | string } } & {
    readonly read: FactReader
    readonly vault: Pick<Vault, 'token'>
  },
): Promise<number | undefined> => {
  const where = { workspace_id: Number(owner?.id), listed: true, email_digest: vault.token(EMAIL_DIGEST, email) }
  const [found] = await read.find('contact', { where, limit: 1 })
  return found && Number(found.id)
}
