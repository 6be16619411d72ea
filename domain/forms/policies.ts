import { contact } from '../contacts/public.ts'
import { policy } from '../kernel/react/policy.ts'
import { askForFields } from './form/ask-for-fields.ts'
import { formOfContacts } from './form/contact-attributes.ts'
import { field } from './form/model.ts'

/** Adds a field for each attribute that a contact is the first to have (families 13). */
export const contactsBringFields = policy({
  name: 'contact-attributes-become-fields',
  on: [contact.event.ContactAttributesSet],
  async react({ data: { attributes }, metadata: { workspace_id = 0 } }, documents, mint) {
    const keys = Object.keys(attributes)
    const where = { form_id: formOfContacts(workspace_id), key: { $in: keys } }
    const known = new Set((await documents.find(field.name, { where })).map(({ key }) => key))
    const missing = keys.filter((key) => !known.has(key))
    return missing.length === 0 ? [] : askForFields({ workspaceId: workspace_id, keys: missing, pageId: null }, mint)
  },
})
