import { communities } from '../../../domain/communities/index.ts'
import { commentRules, posts } from '../../../domain/communities/post/rules.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../client.ts'
import { communitiesOf } from '../communities.ts'
import type { Tenant } from '../service.ts'

const LONG_FROM_NOW = '2126-01-01T00:00:00.000Z'

/** A member gets into spaces and out of them, is banned, and comes back. */
const memberTraffic = async ({ api }: Tenant, make: ReturnType<typeof communitiesOf>, id: number) => {
  const groupId = Number((await make.group(id)).id)
  const spaces = [await make.space(groupId), await make.space(groupId)]
  const [first, second] = spaces.map((one) => Number(one.id))
  const { id: contactId } = await make.contact('member.life')
  const path = `/communities/memberships/${ok(await make.join(id, contactId, { space_ids: [first] })).id}`
  ok(await api.put(path, { communities_membership: { moderator: true, space_ids: [second] } }))
  const ban = ok(await make.ban(id, contactId, { reason: 'Throws clay' }))
  ok(await api.delete(`/communities/bans/${ban.id}`))
  ok(await api.delete(path))
  return { contactId, space: second ?? 0 }
}

/** A post is pinned, reported and judged, and a comment on it answered, judged and emptied. */
const moderationTraffic = async (
  { api, carryOut }: Tenant,
  make: ReturnType<typeof communitiesOf>,
  { contactId: contact_id, space }: { readonly contactId: number; readonly space: number },
) => {
  const { id } = await make.post(space)
  const post = `/communities/spaces/posts/${id}`
  const acts = async (path: string, ...names: readonly string[]) => {
    for (const name of names) ok(await api.post(`${path}/${name}`, undefined))
  }
  const comment = Number(ok(await make.comment(id)).id)
  const own = `/communities/spaces/posts/comments/${comment}`
  ok(await make.comment(id, { parent_comment_id: comment }))
  ok(await api.put(own, { communities_spaces_posts_comment: { body: 'Thicker.' } }))
  await carryOut?.(ask(commentRules, comment, 'report', { contact_id }))
  await acts(own, 'dismiss_reports', 'decline', 'approve')
  ok(await api.delete(own))
  await carryOut?.(ask(posts, Number(id), 'report', { contact_id }))
  await acts(post, 'pin', 'unpin', 'dismiss_reports', 'decline', 'approve')
  ok(await api.delete(post))
}

/** Each bulk action is scheduled, gets on, and is removed. */
const actionTraffic = async (
  { carryOut }: Tenant,
  { communityId: community_id, space }: { readonly communityId: number; readonly space: number },
) => {
  const wanted = { community_id, target_all: true, space_ids: [space], scheduled_for: LONG_FROM_NOW }
  for (const { decider: aggregate } of communities.jobs ?? []) {
    const id = await carryOut?.({ aggregate, id: 'new', command: { type: 'create', wanted } })
    if (id === undefined) continue
    await carryOut?.(ask(aggregate, id, 'advance', { performed_count: 1 }))
    await carryOut?.({ aggregate, id, command: { type: 'remove', wanted: {} } })
  }
}

/** A community with a member, what it writes, and what is done to it. */
export const communityTraffic = async (tenant: Tenant): Promise<void> => {
  const make = communitiesOf(tenant)
  const communityId = Number((await make.community()).id)
  const member = await memberTraffic(tenant, make, communityId)
  await moderationTraffic(tenant, make, member)
  await actionTraffic(tenant, { communityId, space: member.space })
}
