import { communities } from '../../../domain/communities/index.ts'
import { notices } from '../../../domain/communities/notice/rules.ts'
import { commentRules } from '../../../domain/communities/post/comment-rules.ts'
import { posts } from '../../../domain/communities/post/rules.ts'
import { postViews } from '../../../domain/communities/post/views.ts'
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

/** A member edits what it wrote and what was approved: the edit is taken back, dropped, and approved. */
const editTraffic = async (
  { api }: Tenant,
  path: string,
  edit: (to: { readonly body: string }) => Promise<unknown>,
  before: string,
) => {
  await edit({ body: 'Thinner?' })
  await edit({ body: before })
  for (const act of ['decline_edit', 'approve']) {
    await edit({ body: 'Thinner still.' })
    ok(await api.post(`${path}/${act}`, undefined))
  }
}

/** A post is edited, pinned, reported and judged, and a comment on it answered, judged and emptied. */
const moderationTraffic = async (
  tenant: Tenant,
  make: ReturnType<typeof communitiesOf>,
  { communityId, contactId: by_id, space }: Readonly<Record<'communityId' | 'contactId' | 'space', number>>,
) => {
  const { api, carryOut } = tenant
  ok(await make.join(communityId, by_id))
  const { id } = await make.post(space, { contact_id: by_id, body: 'What now?' })
  const post = `/communities/spaces/posts/${id}`
  const acts = async (path: string, ...names: readonly string[]) => {
    for (const name of names) ok(await api.post(`${path}/${name}`, undefined))
  }
  await editTraffic(
    tenant,
    post,
    async (to) => carryOut?.(ask(posts, Number(id), 'edit', { by_id, ...to })),
    'What now?',
  )
  const comment = Number(ok(await make.comment(id, { contact_id: by_id, body: 'Thin.' })).id)
  const own = `/communities/spaces/posts/comments/${comment}`
  const body = `<p>Ask <span data-mention="${by_id}">her</span></p>`
  ok(await make.comment(id, { parent_comment_id: comment, body }))
  ok(await api.put(own, { communities_spaces_posts_comment: { body: 'Thicker.' } }))
  await editTraffic(
    tenant,
    own,
    async (to) => carryOut?.(ask(commentRules, comment, 'edit', { by_id, ...to })),
    'Thicker.',
  )
  const { id: reader } = await make.contact('reader')
  ok(await make.join(communityId, Number(reader), { space_ids: [space] }))
  const report = { by_id: Number(reader) }
  await carryOut?.(ask(commentRules, comment, 'report', report))
  await acts(own, 'dismiss_reports', 'decline', 'approve')
  ok(await api.delete(own))
  await carryOut?.(ask(posts, Number(id), 'report', report))
  const viewed = await carryOut?.(
    ask(postViews, 'new', 'create', { post_id: Number(id), contact_id: by_id }, { ifTaken: 'again' }),
  )
  if (viewed !== undefined) await carryOut?.(ask(postViews, viewed, 'remove', {}))
  await acts(post, 'pin', 'unpin', 'dismiss_reports', 'decline', 'approve')
  ok(await api.delete(post))
}

/** Mails about a mention and about a post are withheld, and go when it is shown again. */
const mentionTraffic = async (
  { carryOut }: Tenant,
  make: ReturnType<typeof communitiesOf>,
  { communityId: community_id, contactId, space }: Readonly<Record<'communityId' | 'contactId' | 'space', number>>,
) => {
  const post_id = Number((await make.post(space)).id)
  const told = { mentioned: [contactId], replied: [], is_new: true, is_quiet: false, is_again: true }
  const about = { about: `post-${post_id}-again`, community_id, post_id, comment_id: null }
  const id = await carryOut?.(ask(notices, 'new', 'create', { ...about, told }))
  if (id === undefined) return
  await carryOut?.(ask(notices, id, 'withhold', { contact_ids: [contactId], muted_ids: [] }))
  await carryOut?.(ask(notices, id, 'withholdAnnouncement', { contact_ids: [contactId] }))
  await carryOut?.(ask(notices, id, 'tell', { told }))
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

/** A digest falls due, and again on the same day, since the workspace has moved to the west; then nobody wants it any more. */
const digestTraffic = async ({ api, workspaceId }: Tenant, communityId: number) => {
  const workspace = `/workspaces/${workspaceId}`
  const clock = `${workspace}/test_clock`
  /** Goes on to half past eight on the next day, in UTC. */
  const advance = async () => {
    const to = new Date(ok(await api.get(clock)).now)
    to.setUTCHours(24 + 8, 30)
    ok(await api.post(clock, { to: to.toISOString() }))
    while (ok(await api.get(clock)).state === 'advancing') await new Promise((go) => setTimeout(go, 10))
  }
  const want = async (send_digest_email: boolean) =>
    ok(await api.put(`/communities/${communityId}`, { community: { send_digest_email } }))
  await advance()
  ok(await api.put(workspace, { workspace: { time_zone: 'Hawaii' } }))
  for (const isWanted of [false, true]) await want(isWanted)
  await advance()
  await want(false)
}

/** A community with a member, what it writes, and what is done to it. */
export const communityTraffic = async (tenant: Tenant): Promise<void> => {
  const make = communitiesOf(tenant)
  const strict = { require_post_approvals: true, require_comment_approvals: true }
  const communityId = Number((await make.community(strict)).id)
  await digestTraffic(tenant, communityId)
  const member = { communityId, ...(await memberTraffic(tenant, make, communityId)) }
  await moderationTraffic(tenant, make, member)
  await mentionTraffic(tenant, make, member)
  await actionTraffic(tenant, { communityId, space: member.space })
}
