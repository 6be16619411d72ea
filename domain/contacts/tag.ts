import { nameFilter } from '../resources/attributes/unique-name.ts'
import { byId } from '../resources/operations.ts'
import { tag } from '../resources/tag.ts'

/** Contacts::Tag: a label for contacts, unique in its workspace. */
export const contactTag = tag('contacts/tag', {
  ...{ title: 'Contacts::Tag', root: 'contacts_tag', category: 'contacts' },
  events: ['ContactsTagCreated', 'ContactsTagChanged', 'ContactsTagRemoved'],
  paths: ['/workspaces/{workspace_id}/contacts/tags', '/contacts/tags/{id}'],
  operations: ['listContactsTags', 'createContactsTags', 'getContactsTags', 'updateContactsTags', 'removeContactsTags'],
  filters: { id: byId, name: nameFilter },
})
