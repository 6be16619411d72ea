import { expect } from 'chai'
import { digest } from '../../../domain/communities/digest/model.ts'
import { postViews } from '../../../domain/communities/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../../support/client.ts'
import { canAdvertise, noticesOf, reached, withheld } from '../../support/notices.ts'
import { advanceBy, populated } from '../../support/populated.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

describe('digests of communities', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
    await canAdvertise(tenant)
  })

  const digests = () => noticesOf(service, tenant, 'community_digest')
  const essential = (names: readonly string[], fields: object = {}) =>
    populated(tenant, names, { notifications: 'essential', ...fields })

  it('15 62: tell once a day what a member has not read; nothing unread, no mail', async () => {
    const { make, spaceId, ids } = await essential(['Ada', 'Bob'])
    await make.post(spaceId, { title: 'Kiln day', contact_id: ids.Ada })
    await advanceBy(tenant, DAY)
    const first = await digests()
    expect(reached(first)).to.deep.equal([ids.Bob])
    expect(withheld(first)).to.deep.equal({ [ids.Ada!]: 'nothing_new' })
    expect(first[1]?.kept?.subject).to.equal('New in Potters')
    expect(first[1]?.kept?.text).to.contain('Kiln day').and.contain('Ada').and.contain('Glazes')
    expect(first[1]?.kept?.headers['List-Unsubscribe-Post']).to.equal('List-Unsubscribe=One-Click')
    expect(JSON.stringify(first)).to.not.contain('ada@')
    await advanceBy(tenant, DAY)
    const second = (await digests()).slice(first.length)
    expect(withheld(second)).to.deep.equal({ [ids.Ada!]: 'nothing_new', [ids.Bob!]: 'nothing_new' })
  })

  it('15 62: leave out what was declined, deleted, moved out of sight or read meanwhile', async () => {
    const { make, spaceId, groupId, ids } = await essential(['Ada', 'Bob', 'Cy'])
    const [declined, deleted] = [await make.post(spaceId, { title: 'One' }), await make.post(spaceId, { title: 'Two' })]
    const secret = await make.space(groupId, { name: 'Secret', access: 2 })
    await make.post(secret.id, { title: 'Three' })
    const read = await make.post(spaceId, { title: 'Four' })
    ok(await tenant.api.post(`/communities/spaces/posts/${declined.id}/decline`))
    ok(await tenant.api.delete(`/communities/spaces/posts/${deleted.id}`))
    await tenant.carryOut!(ask(postViews, 'new', 'create', { post_id: Number(read.id), contact_id: ids.Cy! }))
    await advanceBy(tenant, DAY)
    const told = await digests()
    expect(reached(told)).to.deep.equal([ids.Ada, ids.Bob])
    expect(withheld(told)).to.deep.equal({ [ids.Cy!]: 'nothing_new' })
    expect(told[0]?.kept?.text).to.contain('Four')
    for (const other of ['One', 'Two', 'Three']) expect(told[0]?.kept?.text).to.not.contain(other)
  })

  it('15 63: after three days list a bounded number of posts, and count the others', async () => {
    const { make, spaceId } = await essential(['Ada'])
    for (let n = 0; n < 13; n++) await make.post(spaceId, { title: `Post ${n}!` })
    await advanceBy(tenant, DAY)
    const [mail] = await digests()
    expect(mail?.kept?.text.match(/Post \d+!/g)).to.have.length(10)
    expect(mail?.kept?.text).to.contain('and 3 more').and.contain('Post 12!')
  })

  it('are for members who want them, of communities that send them, and not for what was mailed at once', async () => {
    const { make, communityId, spaceId, ids, memberships } = await essential(['Ada', 'Bob', 'Cy'])
    await tenant.api.put(`/communities/memberships/${memberships.Ada}`, {
      communities_membership: { send_digest_email: false },
    })
    await make.post(spaceId, { title: 'Kiln day', body: `<p><span data-mention="${ids.Bob}">Bob</span></p>` })
    await advanceBy(tenant, DAY)
    const told = await digests()
    expect(reached(told)).to.deep.equal([ids.Cy])
    expect(withheld(told), 'the mention was mailed').to.deep.equal({ [ids.Bob!]: 'nothing_new' })
    ok(await tenant.api.put(`/communities/${communityId}`, { community: { send_digest_email: false } }))
    await make.post(spaceId, { title: 'Another day' })
    await advanceBy(tenant, 2 * DAY)
    expect(await digests()).to.have.length(told.length)
    ok(await tenant.api.put(`/communities/${communityId}`, { community: { send_digest_email: true } }))
    await advanceBy(tenant, DAY)
    expect(reached(await digests())).to.include(ids.Cy)
  })

  const mentions = (ids: Readonly<Record<string, number>>) =>
    Object.values(ids)
      .map((id) => `<span data-mention="${id}"></span>`)
      .join(' ')

  it('tell those whom a comment mentions beyond the 25 that are mailed, once, whatever else they are mailed about', async () => {
    for (const notifications of ['essential', 'all']) {
      const names = Array.from({ length: 28 }, (_, n) => `${notifications}${n}`)
      const { make, communityId, spaceId, ids } = await essential(names, { notifications, name: notifications })
      const post = await make.post(spaceId, { title: 'Kiln day' })
      await advanceBy(tenant, DAY)
      const of = async () => (await digests()).filter(({ mailing }) => mailing.values.community_id === communityId)
      const before = (await of()).length
      ok(await make.comment(post.id, { body: mentions(ids) }))
      await advanceBy(tenant, DAY)
      const told = (await of()).slice(before)
      expect(reached(told), notifications).to.deep.equal(names.slice(25).map((name) => ids[name]))
      expect(told.find(({ kept }) => kept)?.kept?.text).to.contain('Kiln day')
      await advanceBy(tenant, DAY)
      expect(reached((await of()).slice(before + told.length))).to.deep.equal([])
      ok(await tenant.api.put(`/communities/${communityId}`, { community: { send_digest_email: false } }))
    }
  })

  it('tell of mentions in comments while mentions are turned off, in the workspace, the community or by the member', async () => {
    const own = `/workspaces/${tenant.workspaceId}/emails/owed_mails`
    const turned: Readonly<Record<string, (of: Awaited<ReturnType<typeof essential>>) => Promise<unknown>>> = {
      workspace: () => tenant.api.put(own, { owed_mails: { off: ['community_mention'] } }),
      community: async ({ communityId }) => {
        ok(await tenant.api.put(own, { owed_mails: { off: [] } }))
        return tenant.api.put(`/communities/${communityId}`, { community: { notifications: 'off' } })
      },
      member: ({ memberships }) =>
        tenant.api.put(`/communities/memberships/${memberships['member.bob']}`, {
          communities_membership: { notifications: 'off' },
        }),
    }
    for (const [by, turn] of Object.entries(turned)) {
      const [ada, bob] = [`${by}.ada`, `${by}.bob`]
      const of = await essential([ada, bob], { name: by })
      const post = await of.make.post(of.spaceId, { title: 'Kiln day', contact_id: of.ids[ada] })
      await advanceBy(tenant, DAY)
      await turn(of)
      const before = (await digests()).length
      ok(await of.make.comment(post.id, { body: mentions({ bob: of.ids[bob]! }), contact_id: of.ids[ada] }))
      await service.caughtUp()
      expect(reached(await noticesOf(service, tenant, 'community_mention')), by).to.deep.equal([])
      await advanceBy(tenant, DAY)
      expect(reached((await digests()).slice(before)), by).to.deep.equal([of.ids[bob]])
      ok(await tenant.api.put(`/communities/${of.communityId}`, { community: { send_digest_email: false } }))
    }
  })

  it('15 62: are due at eight in the zone of the workspace, once on each day of it', async () => {
    ok(await tenant.api.put(`/workspaces/${tenant.workspaceId}`, { workspace: { time_zone: 'Tokyo' } }))
    const { communityId: community_id } = await essential(['Ada'])
    const { live } = service.background.stores.readModels
    const days: string[] = []
    for (let n = 0; n < 4; n++) {
      await service.caughtUp()
      const [record] = await live.find(digest.name, { where: { community_id } })
      expect(String(record?.next_at)).to.match(/T23:00:00\.000Z$/)
      if (typeof record?.last_day === 'string') days.push(record.last_day)
      await advanceBy(tenant, DAY)
    }
    expect(new Set(days).size).to.equal(days.length)
  })
})
