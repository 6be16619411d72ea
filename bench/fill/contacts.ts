import { contacts } from '../../domain/contacts/contact/rules.ts'
import { contactTag } from '../../domain/contacts/tag.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Core } from '../../infra/runtime/core.ts'
import { BENCHMARK, createContact } from '../people.ts'
import { type Act, actor, type FillTarget, TOGETHER } from './target.ts'

const TAGS = 20

/** Creates the tags for the contacts. @returns their ids */
export const makeTags = async (core: Core, act: Act): Promise<readonly number[]> => {
  const ids = Array.from({ length: TAGS }, () => core.ids.next('contacts/tag'))
  const command = (id: number, name: string) => ({
    type: 'create',
    id,
    wanted: { name, color: '#336699' },
    at: new Date().toISOString(),
    actor: BENCHMARK,
  })
  await Promise.all(ids.map((id, i) => act(contactTag.aggregate, id, command(id, `Tag ${i}`), true)))
  return ids
}

/** Command that creates the n-th contact. Every third has a tag, every fifth an attribute. */
export const contactOf = (core: Core, tagIds: readonly number[], id: number, n: number) =>
  createContact(
    id,
    n,
    {
      ...(n % 3 === 0 && { tag_ids: [tagIds[n % tagIds.length]!] }),
      ...(n % 5 === 0 && { custom_attributes: { plan: n % 2 === 0 ? 'monthly' : 'yearly' } }),
    },
    n % 3 === 0 ? [core.ids.next('contacts/applied_tag')] : [],
  )

/** Creates a number of contacts. @returns their ids in ascending order */
export const fillWithContacts = async (
  core: Core,
  _log: EventLog,
  target: FillTarget,
  count: number,
): Promise<readonly number[]> => {
  const act = actor(core, target)
  const tagIds = await makeTags(core, act)
  const ids: number[] = []
  while (ids.length < count) {
    const from = ids.length
    const batch = Array.from({ length: Math.min(TOGETHER, count - from) }, () => core.ids.next('contact'))
    await Promise.all(batch.map((id, i) => act(contacts, id, contactOf(core, tagIds, id, from + i), true)))
    ids.push(...batch)
  }
  return ids
}
