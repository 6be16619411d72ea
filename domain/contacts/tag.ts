import { byId, list, show, textFilter } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { tag } from '../resources/tag.ts'
import { changes, creates, removes } from '../resources/writes.ts'

/** Contacts::Tag: a name to put on contacts, unique in its workspace. */
export const contactTag = record({
  name: 'contacts/tag',
  title: 'Contacts::Tag',
  root: 'contacts_tag',
  category: 'contacts',
  ...tag,
  events: {
    ContactsTagCreated: { creates: true },
    ContactsTagChanged: { changes: 'rest' },
    ContactsTagRemoved: { ends: true },
  },
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
