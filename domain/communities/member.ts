import { contact, contactNamed, isContactKept } from '../contacts/public.ts'
import { nullable } from '../resources/schemas.ts'
import type { Loader } from '../resources/view-types.ts'

/** Shows whose record it is; `null` once the contact is deleted or erased. */
export const contactShown = {
  schema: nullable(contactNamed.schema),
  async of({ contact_id }: { readonly contact_id: number | null }, load: Loader) {
    const found = await load.one(contact.name, contact_id)
    return found && isContactKept(found) ? contactNamed.of(found, load) : null
  },
}
