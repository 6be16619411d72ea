import { contactFilters } from '../filters/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { choice, list as listOf, reference } from '../kernel/model/fields.ts'
import { job } from '../resources/jobs/job.ts'
import { appliedTag } from './contact/model.ts'
import { contacts } from './contact/rules.ts'

/** Contacts to which actions can be applied. */
export const targets = { resource: 'contact', all: { listed: true }, filters: contactFilters }

/** Contacts::TagAction: adds tags to many contacts, or removes them. */
export const tagAction = job({
  name: 'contacts/tag_action',
  title: 'Contacts::TagAction',
  consequence: 'changes the tags of many people',
  root: 'contacts_tag_action',
  category: 'contacts',
  events: {
    queued: 'ContactsTagActionQueued',
    started: 'ContactsTagActionStarted',
    advanced: 'ContactsTagActionAdvanced',
    completed: 'ContactsTagActionCompleted',
    removed: 'ContactsTagActionRemoved',
    held: 'ContactsTagActionHeld',
    released: 'ContactsTagActionReleased',
  },
  targets,
  attributes: {
    // Whether its tags are still there is checked when it runs.
    tag_ids: listOf(reference('contacts/tag'), { required: true, max: 100, onTargetEnd: 'keep' }),
    action_type: choice(['add', 'remove'], { default: 'add' }),
  },
  paths: {
    list: ['listContactsTagActions', '/workspaces/{workspace_id}/contacts/tag_actions'],
    create: ['createContactsTagActions', '/workspaces/{workspace_id}/contacts/tag_actions'],
    show: ['getContactsTagActions', '/contacts/tag_actions/{id}'],
    remove: ['removeContactsTagActions', '/contacts/tag_actions/{id}'],
  },
  perform: ({ action_type, tag_ids }, id, { mint }) =>
    ask(
      contacts,
      id,
      action_type === 'remove' ? 'untag' : 'tag',
      { tag_ids },
      { ids: tag_ids.map(() => mint(appliedTag)) },
    ),
})

/** Contacts::UnsubscribeAction: unsubscribes many contacts from all mailings. */
export const unsubscribeAction = job({
  name: 'contacts/unsubscribe_action',
  title: 'Contacts::UnsubscribeAction',
  consequence: 'unsubscribes many people',
  root: 'contacts_unsubscribe_action',
  category: 'contacts',
  events: {
    queued: 'ContactsUnsubscribeActionQueued',
    started: 'ContactsUnsubscribeActionStarted',
    advanced: 'ContactsUnsubscribeActionAdvanced',
    completed: 'ContactsUnsubscribeActionCompleted',
    removed: 'ContactsUnsubscribeActionRemoved',
  },
  targets,
  attributes: {},
  paths: {
    list: ['listContactsUnsubscribeActions', '/workspaces/{workspace_id}/contacts/unsubscribe_actions'],
    create: ['createContactsUnsubscribeActions', '/workspaces/{workspace_id}/contacts/unsubscribe_actions'],
    show: ['getContactsUnsubscribeActions', '/contacts/unsubscribe_actions/{id}'],
    remove: ['removeContactsUnsubscribeActions', '/contacts/unsubscribe_actions/{id}'],
  },
  perform: (_action, id) => ask(contacts, id, 'unsubscribe', {}),
})
