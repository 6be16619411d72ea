import { untagOnRemoval } from '../resources/tag.ts'
import { contacts } from './contact/rules.ts'
import { contactTag } from './tag.ts'

export const tagsLeaveContacts = untagOnRemoval({
  name: 'tags-leave-contacts',
  on: contactTag.model.event.ContactsTagRemoved,
  aggregate: contacts,
  wanted: (tagId) => ({ tag_ids: [tagId] }),
})
