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

/** Whatever has an e-mail address in it is shown to nobody as a name. */
const ADDRESS = /\S@\S/

/** Returns how members see a contact called; `undefined` for one without a name. */
export const memberName = ({
  first_name,
  last_name,
}: {
  readonly first_name: string | null
  readonly last_name: string | null
}): string | undefined => {
  const name = [first_name, last_name].flatMap((part) => part?.trim() || []).join(' ')
  return name === '' || ADDRESS.test(name) ? undefined : name
}
