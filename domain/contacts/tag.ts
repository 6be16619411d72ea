import { text } from '../kernel/fields.ts'
import { byId, list, show, textFilter, workspace } from '../kinds/operations.ts'
import { record } from '../kinds/record.ts'
import { changes, creates, removes } from '../kinds/writes.ts'

/** Colour of a tag that was made without one; the contract does not say, and every response has one. */
const DEFAULT_COLOR = '#94a3b8'

/** Contacts::Tag: a name to put on contacts, unique in its workspace. */
export const contactTag = record({
  name: 'contacts/tag',
  title: 'Contacts::Tag',
  root: 'contacts_tag',
  category: 'contacts',
  under: workspace,
  attributes: { name: text({ required: true }), color: text({ default: DEFAULT_COLOR, nullable: false }) },
  events: {
    ContactsTagCreated: { born: true },
    ContactsTagChanged: { changes: 'rest' },
    ContactsTagRemoved: { gone: true },
  },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
  operations: {
    listContactsTags: list('/workspaces/{workspace_id}/contacts/tags', {
      filters: { id: byId, name: textFilter('name') },
    }),
    createContactsTags: creates('/workspaces/{workspace_id}/contacts/tags'),
    getContactsTags: show('/contacts/tags/{id}'),
    updateContactsTags: changes('/contacts/tags/{id}'),
    removeContactsTags: removes('/contacts/tags/{id}'),
  },
})
