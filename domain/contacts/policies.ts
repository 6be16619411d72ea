import { tagsLeave } from '../kinds/tag.ts'
import { contacts } from './contact/rules.ts'

export const tagsLeaveContacts = tagsLeave({
  name: 'tags-leave-contacts',
  on: 'ContactsTagRemoved',
  aggregate: contacts,
  wanted: (tagId) => ({ tag_ids: [tagId] }),
})
