import type { FactReader } from '../../kernel/decide/command.ts'
import type { Vault } from '../../kernel/ports/vault.ts'
import { emailDigest } from './lookup.ts'
import { contact } from './model.ts'

/** Dependencies of looking for contacts below an owner, which is their workspace. */
interface FindDeps {
  readonly owner?: { readonly id: number | string }
  readonly read: FactReader
  readonly vault: Pick<Vault, 'token'>
}

/** Returns the id of the contact with an e-mail address in a workspace; `undefined` if there is none or it is deleted or erased. */
export const contactByEmail = async (email: string, { owner, read, vault }: FindDeps): Promise<number | undefined> => {
  const where = { workspace_id: Number(owner?.id), listed: true, email_digest: emailDigest(email, vault) }
  const [found] = await read.find(contact.name, { where, limit: 1 })
  return found && Number(found.id)
}
