import { parseStream } from '../kernel/decider.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { contacts } from './contact/rules.ts'

/** A tag that is removed from the workspace comes off every contact. */
export const tagsLeaveContacts: Policy = {
  name: 'tags-leave-contacts',
  on: ['ContactsTagRemoved'],
  async react(event, read) {
    const tagId = parseStream(event.stream).id
    const tagged = await read.find('contact', { where: { tag_ids: tagId } })
    return tagged.map((contact) => ({
      aggregate: contacts,
      id: Number(contact.id),
      command: () => ({
        type: 'untag',
        id: Number(contact.id),
        wanted: { tag_ids: [tagId] },
        at: event.metadata.at,
        actor: workerActor('policies'),
      }),
    }))
  },
}
