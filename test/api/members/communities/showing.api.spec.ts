import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { until } from '../../../support/eventually.ts'
import { memberCommunity } from '../../../support/member-communities.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'
import { workflowOf } from '../../workflows/making.ts'
import { addTags } from '../../workflows/runs/enrolled.ts'

const POSTS = '/communities/spaces/posts'
const SECRET = 'The ash glaze of Shigaraki'

describe('posts and comments on the members’ side', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
  })
  const begun = (fields: object = {}, inSpace: object = {}) => memberCommunity(service, tenant, fields, inSpace)
  const post = async (space: number, fields: object = {}) =>
    Number(
      ok(
        await tenant.api.post(`/communities/spaces/${space}/posts`, {
          communities_spaces_post: { title: SECRET, body: `<p>${SECRET}</p>`, ...fields },
        }),
      ).id,
    )

  it('15 60: an author is told how many of those who are mentioned get no mail, since they are too many', async () => {
    const on = await begun()
    const [ada, eve] = [await on.member('ada'), await on.member('eve')]
    const people = await Promise.all(Array.from({ length: 27 }, (_, n) => on.contact(`many${n}`)))
    for (const id of people) ok(await on.make.join(on.community, id))
    const id = await on.write(ada, 'Everybody', people.map((one) => `@[${one}]`).join(' '))
    const says = '2 of those whom it mentions get no mail'
    expect((await ada.browser.get(`/members/posts/${id}`)).text).to.contain(says)
    expect((await eve.browser.get(`/members/posts/${id}`)).text).not.to.contain(says)
  })

  it('a view of a post starts the workflows that wait for it', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const id = await post(on.space)
    const { body: tag } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/tags`, {
      contacts_tag: { name: 'Reader' },
    })
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key: '$community.post_view', communities_space_id: on.space })
    await workflow.step(addTags(tag.id))
    ok(await workflow.enable())
    await ada.browser.get(`/members/posts/${id}`)
    const tagsOf = async () =>
      ok(await tenant.api.get(`/contacts/${ada.id}`)).tags as readonly { readonly id: number }[]
    await until(async () => (await tagsOf()).some((one) => one.id === tag.id))
  })

  it('15 51: answers of any depth are rendered, indented by a few steps', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const id = await post(on.space)
    let parent_comment_id: number | null = null
    for (let level = 0; level < 110; level++)
      parent_comment_id = ok(await on.make.comment(id, { parent_comment_id, body: `<p>Level ${level}.</p>` })).id
    const { text } = await ada.browser.get(`/members/posts/${id}`)
    expect(text).to.contain('Level 0.').and.contain('Level 99.').and.not.contain('Level 100.')
    expect(new Set(text.match(/class="item step-\d+"/g))).to.deep.equal(
      new Set([1, 2, 3, 4].map((step) => `class="item step-${step}"`)),
    )
    const [, next] = /href="(\/members\/posts\/\d+\?after=\d+)"/.exec(text) ?? []
    const more = await ada.browser.get(String(next))
    expect(more.text).to.contain('Level 100.').and.contain('Level 109.').and.not.contain('Level 99.')
    const led = await ada.browser.get(`/members/comments/${parent_comment_id}`)
    expect((await ada.browser.get(String(led.headers.location))).text).to.contain('Level 109.')
  })

  it('15 49: a deleted comment with answers leaves a place without text and author', async () => {
    const on = await begun()
    const [ada, grace] = [await on.member('ada'), await on.member('grace')]
    const id = await post(on.space)
    const first = await on.comment(ada, id, 'Thinner.')
    const path = `/members/comments/${first}`
    await grace.browser.submit(`${path}/reply`, `${path}/reply`, { body: 'Thicker.' })
    expect((await ada.browser.submit(`${path}/delete`, `${path}/delete`)).status).to.equal(303)
    const { text } = await grace.browser.get(`/members/posts/${id}`)
    expect(text).to.contain('This comment was deleted.').and.contain('Thicker.').and.not.contain('Thinner.')
    expect(text).to.contain('1 comment<')
    expect((await grace.browser.get(`${path}/reply`)).status).to.equal(404)
  })

  it('15 52: numbers are of what that reader can open', async () => {
    const on = await begun({ require_comment_approvals: true })
    const [ada, grace, mod] = [
      await on.member('ada'),
      await on.member('grace'),
      await on.member('mod', { moderator: true }),
    ]
    const id = await post(on.space)
    ok(await on.make.comment(id))
    const waiting = await on.comment(ada, id, 'Thinner.')
    const numbers = async () => {
      const found = []
      for (const { browser } of [ada, grace, mod])
        for (const path of [`spaces/${on.space}`, `posts/${id}`])
          found.push(/(\d+) comments?/.exec((await browser.get(`/members/${path}`)).text)?.[1])
      return found.join('')
    }
    expect(await numbers()).to.equal('221122')
    const path = `${POSTS}/comments/${waiting}`
    const seen = []
    for (const act of ['approve', 'decline', 'decline', 'approve', 'approve']) {
      ok(await tenant.api.post(`${path}/${act}`))
      seen.push(await numbers())
    }
    expect(seen).to.deep.equal(['222222', '111111', '111111', '222222', '222222'])
  })

  it('15 53: likes that count are those of contacts who are neither deleted nor banned', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const id = await post(on.space)
    const [gone, banned] = [await on.contact('gone'), await on.contact('banned')]
    for (const one of [gone, banned, ada.id]) await on.make.like(id, one)
    const likes = async () => /(\d+) likes?/.exec((await ada.browser.get(`/members/posts/${id}`)).text)?.[1]
    expect(await likes()).to.equal('3')
    const ban = ok(await on.make.ban(on.community, banned))
    ok(await tenant.api.delete(`/contacts/${gone}`))
    expect(await likes()).to.equal('1')
    ok(await tenant.api.delete(`/communities/bans/${ban.id}`))
    expect(await likes()).to.equal('2')
  })

  it('15 88: a view counts with a session, and not when a browser only loads a page in advance', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const id = await post(on.space)
    const views = async () => {
      let count = 0
      for await (const { type, data } of service.background.stores.log.readAll({ after: -1 }))
        if (type === 'PostViewed' && data.post_id === id) count++
      return count
    }
    await ada.browser.get(`/members/posts/${id}`, { 'sec-purpose': 'prefetch;prerender' })
    await ada.browser.head(`/members/posts/${id}`)
    expect(await views()).to.equal(0)
    await ada.browser.get(`/members/posts/${id}`)
    await ada.browser.get(`/members/posts/${id}`)
    expect(await views()).to.equal(1)
  })
})
