import { contactByEmail } from '../contacts/public.ts'
import type { Reader } from '../kernel/decide/rules.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import type { WriteInput } from '../resources/operation.ts'
import { presenceOf } from './standing.ts'

/** Returns the contact of a workspace who has the address of a user, if there is one. */
export const contactOfUser = async (
  userId: number,
  workspaceId: number,
  { read, vault }: Pick<WriteInput, 'read'> & { readonly vault: Pick<WriteInput['vault'], 'token'> },
): Promise<number | undefined> => {
  const email = (await read.get('user', userId))?.email
  return typeof email === 'string' ? contactByEmail(email, { owner: { id: workspaceId }, read, vault }) : undefined
}

/** Returns the fields with the contact for whom a request acts: the one that it names, or the one with the address of the token's user, if there is one. */
export const authored = async ({ fields, owner, read, vault, caller }: WriteInput): Promise<JsonObject> => {
  if (typeof fields.contact_id === 'number') return fields
  const contact_id = await contactOfUser(caller.userId, Number(owner?.workspace_id), { read, vault })
  return { ...fields, contact_id: contact_id ?? null }
}

/** Returns why a contact may not post, comment or like in a community: it is gone, or banned. */
export const authorProblem = async (
  contact_id: number | null,
  community_id: number,
  read: Reader,
): Promise<Refusal | undefined> => {
  if (contact_id === null) return undefined
  const presence = (await presenceOf([contact_id], community_id, read)).get(contact_id)
  if (presence === 'here') return undefined
  return presence === 'banned'
    ? refuse.invalid('Contact is banned from this community', 'contact_id', 'banned')
    : refuse.invalid('Contact must exist', 'contact_id', 'not_found')
}
