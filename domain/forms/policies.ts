import { contact, contacts } from '../contacts/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { askForFields } from './form/ask-for-fields.ts'
import { formOfContacts } from './form/contact-attributes.ts'
import { field } from './form/model.ts'
import { formSubmission } from './form-submission/model.ts'

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

/** Notes with a contact where it has opted in. */
export const contactsKnowTheirOptIns = policy({
  name: 'contacts-know-their-opt-ins',
  on: [formSubmission.event.PageFormSubmitted],
  react({ data: { contact_id, page_id, show_page_step_id = null, funnel_id = null } }) {
    if (typeof contact_id !== 'number' || typeof page_id !== 'number') return []
    return [ask(contacts, contact_id, 'optIn', { page_id, show_page_step_id, funnel_id })]
  },
})
