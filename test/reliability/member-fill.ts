import { randomUUID } from 'node:crypto'
import { participations } from '../../domain/communities/membership/rules.ts'
import { contacts } from '../../domain/contacts/contact/rules.ts'
import { type Ask, ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { nextId } from '../support/next-id.ts'

export interface Member {
  readonly id: number
  readonly contactId: number
  readonly created_at: string
}

interface Community {
  readonly teamId: number
  readonly workspaceId: number
  readonly communityId: number
}

/** Commands under way at the same time. */
const TOGETHER = 2000

/** Makes contacts who are members of a community, in a data directory that no process uses. @param fields returns the fields of the n-th contact */
export const fillWithMembers = async (
  data: string,
  { communityId: community_id, ...place }: Community,
  count: number,
  fields: (n: number) => { readonly email_address: string; readonly first_name: string },
): Promise<readonly Member[]> => {
  const stores = await openStores(readConfig({ MILLRACE_DATA: data }))
  const core = await createCore(stores)
  const act = async (asked: Ask, id: number) => {
    const at = new Date().toISOString()
    const cause = { causationId: 'fill', correlationId: 'fill' }
    const stamped = stampCommand(asked, { at, actor: { label: 'test' } }, id)
    const result = await core.engine.transact({ ...stamped, ...place, ...cause, isNew: true })
    if (result instanceof Refusal) throw result
    return at
  }
  const join = async (contactId: number): Promise<Member> => {
    const id = await nextId(core.ids, { name: 'communities/membership' })
    const wanted = { contact_id: contactId, community_id, join: {} }
    const asked = ask(participations, 'new', 'create', wanted, { ids: [id] })
    return { id, contactId, created_at: await act(asked, await nextId(core.ids, participations)) }
  }
  const people = await Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      id: await nextId(core.ids, contacts),
      wanted: { uuid: randomUUID(), ...fields(n) },
    })),
  )
  const batches = Array.from({ length: Math.ceil(count / TOGETHER) }, (_, n) =>
    people.slice(n * TOGETHER, (n + 1) * TOGETHER),
  )
  for (const batch of batches)
    await Promise.all(batch.map(({ id, wanted }) => act(ask(contacts, 'new', 'create', wanted), id)))
  // Who joins is looked up in the documents.
  await core.rebuild()
  const members: Member[] = []
  for (const batch of batches) members.push(...(await Promise.all(batch.map(({ id }) => join(id)))))
  await core.rebuild()
  const last = await stores.log.lastPosition()
  // The followers of the log start after this, as if a running service had followed it.
  await stores.checkpoints.set('webhooks', last)
  await stores.reactorStore.write([], last)
  await stores.close()
  return members
}
