import { parseStream } from '../kernel/decider.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { contacts } from './contact/rules.ts'

/** A tag that is removed from the workspace comes off every contact. */
export const tagsLeaveContacts: Policy = {
  name: 'tags-leave-contacts',
  on: ['ContactsTagRemoved'],
  react({ stream, metadata: { at } }) {
    const tagId = parseStream(stream).id
    const untag = (id: number) => ({
      type: 'untag',
      id,
      wanted: { tag_ids: [tagId] },
      at,
      actor: workerActor('policies'),
    })
    return [
      {
        each: 'contact',
        where: { tag_ids: tagId },
        one: (id) => ({ aggregate: contacts, id, command: () => untag(id) }),
      },
    ]
  },
}
