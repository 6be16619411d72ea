import { MOST_OTHERS } from '../../../../api/members/communities/community.ts'
import { MOST_LIKES } from '../../../../api/members/communities/counts.ts'
import { AT_ONCE, MOST_OFFERED } from '../../../../api/members/communities/mentionable.ts'
import { WAITING_PER_PAGE } from '../../../../api/members/communities/moderation-list.ts'
import { MOST_WAITING, POSTS_PER_PAGE } from '../../../../api/members/communities/posts-list.ts'
import { COMMENTS_PER_PAGE } from '../../../../api/members/communities/thread.ts'
import { ok } from '../../../support/client.ts'
import { communitiesOf } from '../../../support/communities.ts'
import { formToken, type MemberCommunity, type Person } from '../../../support/member-communities.ts'
import { HIDDEN, type MemberList, type Stage, times } from './list.ts'

const POSTS = '/communities/spaces/posts'
const VISIBLE = 'Shigaraki'
const SPACE = 'members/spaces/{id}'
const POST = 'members/posts/{id}'

/** Has a member write many posts or comments. */
const writes = async ({ browser }: Person, path: string, fields: readonly Readonly<Record<string, string>>[]) => {
  const token = await formToken(browser)
  await times(fields.length, async (n) => {
    const { status, text } = await browser.post(path, { ...token, ...fields[n] })
    if (status !== 303) throw new Error(`${path} was answered with ${status}: ${text}`)
  })
}

/** Has contacts say something about a post, and bans them. */
const bannedAfter = async (on: MemberCommunity, ids: readonly number[], say: (id: number) => Promise<unknown>) => {
  await times(ids.length, (n) => say(ids[n]!))
  await times(ids.length, async (n) => ok(await on.make.ban(on.community, ids[n]!)))
}

const pinTurns = (names: readonly ('pin' | 'unpin')[], on: MemberCommunity, { tenant }: Stage) =>
  times(3 * POSTS_PER_PAGE, async () => {
    const { id } = await on.make.post(on.space, { title: HIDDEN })
    for (const name of names) ok(await tenant.api.post(`${POSTS}/${id}/${name}`))
  })

/** Lists of communities, of what is in them, and of who is. */
export const communityLists: Readonly<Record<string, MemberList>> = {
  'communities to join': {
    pages: ['members/communities'],
    limits: ['members/communities/community.ts MOST_OTHERS'],
    async make({ tenant, ada, crowd }) {
      const { community, ban } = communitiesOf(tenant)
      await times(MOST_OTHERS, () => community({ name: HIDDEN, status: 'draft' }))
      await times(MOST_OTHERS, () => community({ name: HIDDEN, private: true }))
      await times(MOST_OTHERS, async () => ok(await ban(Number((await community({ name: HIDDEN })).id), ada.id)))
      await community({ name: VISIBLE, seo_title: String(crowd.length) })
      return { page: '/members/communities', text: VISIBLE, hidden: HIDDEN }
    },
  },
  'spaces of a community': {
    pages: ['members/communities/{id}'],
    limits: [],
    async make(stage) {
      const on = await stage.community()
      await times(60, () => on.make.space(on.group, { name: HIDDEN, access: 2, sort_order: 1 }))
      await on.make.space(on.group, { name: VISIBLE })
      return { page: `/members/communities/${on.community}`, text: VISIBLE, hidden: HIDDEN }
    },
  },
  'posts of a space': {
    pages: [SPACE],
    limits: ['members/communities/posts-list.ts POSTS_PER_PAGE'],
    async make(stage) {
      const on = await stage.community()
      await on.make.post(on.space, { title: VISIBLE })
      await times(3 * POSTS_PER_PAGE, async () => {
        const { id } = await on.make.post(on.space, { title: HIDDEN })
        ok(await stage.tenant.api.post(`${POSTS}/${id}/decline`))
      })
      return { page: `/members/spaces/${on.space}`, text: VISIBLE, hidden: HIDDEN }
    },
  },
  'posts behind those that are pinned': {
    pages: [SPACE],
    limits: ['members/communities/posts-list.ts POSTS_PER_PAGE'],
    async make(stage) {
      const on = await stage.community()
      await on.make.post(on.space, { title: VISIBLE })
      await pinTurns(['pin'], on, stage)
      return { page: `/members/spaces/${on.space}`, text: new RegExp(`<h2>Posts</h2>.*${VISIBLE}`, 's') }
    },
  },
  'pinned posts behind those that were unpinned': {
    pages: [SPACE],
    limits: ['members/communities/posts-list.ts POSTS_PER_PAGE'],
    async make(stage) {
      const on = await stage.community()
      const { id } = await on.make.post(on.space, { title: VISIBLE })
      ok(await stage.tenant.api.post(`${POSTS}/${id}/pin`))
      await pinTurns(['pin', 'unpin'], on, stage)
      return { page: `/members/spaces/${on.space}`, text: new RegExp(`${VISIBLE}.*<h2>Posts</h2>`, 's') }
    },
  },
  'own posts that wait for approval': {
    pages: [SPACE],
    limits: ['members/communities/posts-list.ts MOST_WAITING'],
    async make(stage) {
      const on = await stage.community({ require_post_approvals: true })
      const other = await on.make.space(on.group, { name: 'Elsewhere' })
      const hidden = Array.from({ length: 3 * MOST_WAITING }, () => ({ title: HIDDEN, body: 'Wet' }))
      await writes(stage.ada, `/members/spaces/${other.id}/write`, hidden)
      await writes(stage.ada, `/members/spaces/${on.space}/write`, [{ title: VISIBLE, body: 'Dry' }])
      return { page: `/members/spaces/${on.space}`, text: VISIBLE, hidden: HIDDEN }
    },
  },
  'comments, with one’s own that wait for approval': {
    pages: [POST, 'members/comments/{id}'],
    limits: ['members/communities/thread.ts COMMENTS_PER_PAGE'],
    async make(stage) {
      const on = await stage.community({ require_comment_approvals: true })
      const eve = await on.member(`eve.${on.community}`)
      const { id } = await on.make.post(on.space)
      const path = `/members/posts/${id}`
      const hidden = Array.from({ length: 3 * COMMENTS_PER_PAGE }, () => ({ body: HIDDEN }))
      await writes(eve, `${path}/comment`, hidden)
      await writes(stage.ada, `${path}/comment`, [{ body: VISIBLE }])
      return { page: path, text: VISIBLE, hidden: HIDDEN }
    },
  },
  'number of likes': {
    pages: [SPACE, POST],
    limits: ['members/communities/counts.ts MOST_LIKES'],
    async make(stage) {
      const on = await stage.community()
      const { id } = await on.make.post(on.space)
      await bannedAfter(on, stage.crowd.slice(0, 3 * MOST_LIKES), async (one) => ok(await on.make.like(id, one)))
      ok(await on.make.like(id, await on.contact(`liking.${on.community}`)))
      return { page: `/members/posts/${id}`, text: '1 like', hidden: /[0-9]\+ likes/ }
    },
  },
  'members to mention in a space': {
    pages: ['members/spaces/{id}/write', 'members/posts/{id}/edit'],
    limits: ['members/communities/mentionable.ts MOST_OFFERED'],
    async make(stage) {
      const on = await stage.community({}, { access: 1 })
      const beside = await on.make.space(on.group, { name: 'Beside' })
      const join = async (contact: number, space: number) =>
        ok(await on.make.join(on.community, contact, { space_ids: [space] }))
      const [own] = ok(await stage.tenant.api.get(`/communities/${on.community}/memberships`))
      const space_ids = [on.space]
      ok(await stage.tenant.api.put(`/communities/memberships/${own.id}`, { communities_membership: { space_ids } }))
      await times(3 * MOST_OFFERED, (n) => join(stage.crowd[n]!, Number(beside.id)))
      await join(await on.contact(`seen.${on.community}`, { first_name: VISIBLE }), on.space)
      return { page: `/members/spaces/${on.space}/write`, text: VISIBLE, hidden: HIDDEN }
    },
  },
  'members to mention among those who talk': {
    pages: [POST, 'members/comments/{id}/reply', 'members/comments/{id}/edit'],
    limits: ['members/communities/mentionable.ts MOST_OFFERED'],
    async make(stage) {
      const on = await stage.community()
      const others = await times(2 * MOST_OFFERED + 1, (n) => on.contact(`other.${n}.${on.community}`))
      await times(others.length, async (n) => ok(await on.make.join(on.community, others[n]!)))
      const { id } = await on.make.post(on.space)
      const says = async (contact_id: number) => ok(await on.make.comment(id, { contact_id }))
      await bannedAfter(on, stage.crowd.slice(0, 3 * MOST_OFFERED), says)
      const talking = await on.contact(`talking.${on.community}`, { first_name: VISIBLE })
      ok(await on.make.join(on.community, talking))
      await says(talking)
      const choice = new RegExp(`<input type="checkbox" name="mention" value="${talking}">`)
      return { page: `/members/posts/${id}`, text: choice }
    },
  },
  'members to mention who are looked for by their names': {
    pages: ['members/spaces/{id}/write', POST],
    limits: ['members/communities/mentionable.ts AT_ONCE'],
    async make(stage) {
      const on = await stage.community()
      const found = await on.contact(`found.${on.community}`, { first_name: HIDDEN, last_name: VISIBLE })
      ok(await on.make.join(on.community, found))
      if (stage.crowd.length < 3 * AT_ONCE) throw new Error('the crowd is too small')
      const path = `/members/spaces/${on.space}/write`
      const token = await formToken(stage.ada.browser)
      const get = () => stage.ada.browser.post(path, { ...token, title: '', body: '', find: HIDDEN, search: '1' })
      return { page: path, text: VISIBLE, hidden: new RegExp(`${HIDDEN}(?! ${VISIBLE}|")`), browser: { get } }
    },
  },
  'what waits for moderators': {
    pages: ['members/communities/{id}/moderation'],
    limits: ['members/communities/moderation-list.ts WAITING_PER_PAGE'],
    async make(stage) {
      const on = await stage.community({ require_post_approvals: true })
      const [own] = ok(await stage.tenant.api.get(`/communities/${on.community}/memberships`))
      await writes(stage.ada, `/members/spaces/${on.space}/write`, [{ title: VISIBLE, body: 'Dry' }])
      await times(3 * WAITING_PER_PAGE, () => on.make.post(on.space, { title: HIDDEN }))
      const moderates = { communities_membership: { moderator: true } }
      ok(await stage.tenant.api.put(`/communities/memberships/${own.id}`, moderates))
      return { page: `/members/communities/${on.community}/moderation`, text: VISIBLE, hidden: HIDDEN }
    },
  },
}
