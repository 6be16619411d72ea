import { contact, contacts } from '../contacts/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { askForFields } from './form/ask-for-fields.ts'
import { formOfContacts } from './form/contact-attributes.ts'
import { field } from './form/model.ts'
import { formSubmission } from './form-submission/model.ts'
import { formSubmissions } from './form-submission/rules.ts'

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

/** Notes with a contact where it has opted in, and confirmed that where it was asked to. */
export const contactsKnowTheirOptIns = policy({
  name: 'contacts-know-their-opt-ins',
  on: [formSubmission.event.PageFormSubmitted, formSubmission.event.PageFormConfirmed],
  when: ({ data }) => data.awaits_confirmation !== true,
  react({ data: { contact_id, page_id, show_page_step_id = null, funnel_id = null } }) {
    if (typeof contact_id !== 'number' || typeof page_id !== 'number') return []
    return [ask(contacts, contact_id, 'optIn', { page_id, show_page_step_id, funnel_id })]
  },
})

/** Has a contact asked to confirm what was sent in its name, by mail. */
export const contactsAreAskedToConfirm = policy({
  name: 'contacts-are-asked-to-confirm',
  on: [formSubmission.event.PageFormSubmitted],
  when: ({ data }) => data.awaits_confirmation === true,
  react({ stream, data: { contact_id } }) {
    const wanted = { form_submission_id: parseStream(stream).id }
    return typeof contact_id === 'number' ? [ask(contacts, contact_id, 'askByMail', wanted)] : []
  },
})

/** Confirms everything that a contact has sent and was to confirm: its address is its own. */
export const confirmedContactsHaveOptedIn = policy({
  name: 'confirmed-contacts-have-opted-in',
  on: [contact.event.ContactConfirmed, contact.event.ContactResubscribed],
  when: ({ type, data }) => type === contact.event.ContactConfirmed.type || data.by === 'opt_in',
  react({ stream, metadata: { workspace_id = 0 } }) {
    const mine = { workspace_id, contact_id: parseStream(stream).id }
    const where = { ...mine, awaits_confirmation: true, confirmed_at: null }
    return [{ each: formSubmission.name, where, one: (id) => ask(formSubmissions, id, 'confirm', {}) }]
  },
})
