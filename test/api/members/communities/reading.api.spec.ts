import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { until } from '../../../support/eventually.ts'
import { hostOf, memberBrowser } from '../../../support/member.ts'
import { formToken, memberCommunity } from '../../../support/member-communities.ts'
import { recordMakers } from '../../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'

const POSTS = '/communities/spaces/posts'
const SECRET = 'The ash glaze of Shigaraki'

describe('reading in communities on the members’ side', () => {
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

  it('a post shows its cover, as long as its space allows covers', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const image_id = await recordMakers.image!.make(tenant)
    const id = await post(on.space, { image_id })
    const shown = async () => (await ada.browser.get(`/members/posts/${id}`)).text
    expect(await shown()).to.match(/<img src="\/images\/\d+\/[A-Za-z0-9]{24}\/large"/)
    ok(await tenant.api.put(`/communities/spaces/${on.space}`, { communities_space: { allow_cover_images: false } }))
    await service.caughtUp()
    expect(await shown())
      .to.contain(SECRET)
      .and.not.contain('<img')
  })

  it('members choose what mail they get from a community, and nobody else does', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const eve = await on.person('eve')
    const path = `/members/communities/${on.community}/mail`
    const chosen = async () => {
      const [{ notifications, send_digest_email }] = ok(
        await tenant.api.get(`/communities/${on.community}/memberships`),
      )
      return { notifications, send_digest_email }
    }
    expect((await ada.browser.get(`/members/communities/${on.community}`)).text).to.contain(path)
    for (const [sent, kept] of [
      [
        { notifications: 'essential', digest: 'never' },
        { notifications: 'essential', send_digest_email: false },
      ],
      [
        { notifications: 'off', digest: 'daily' },
        { notifications: 'off', send_digest_email: true },
      ],
      [
        { notifications: 'odd', digest: 'odd' },
        { notifications: null, send_digest_email: null },
      ],
    ] as const) {
      expect((await ada.browser.submit(path, path, sent)).status).to.equal(303)
      expect(await chosen()).to.deep.equal(kept)
    }
    expect((await eve.browser.get(path)).status).to.equal(404)
    expect((await eve.browser.post(path, { ...(await formToken(eve.browser)), notifications: 'off' })).status).to.equal(
      404,
    )
  })

  it('15 32: of communities, groups and spaces the strictest holds, and what is secret does not exist', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const eve = await on.person('eve')
    const places: { space: number; degree: 'open' | 'closed' | 'hidden' }[] = []
    for (const [group, space, degree] of [
      [0, 0, 'open'],
      [0, 1, 'closed'],
      [1, 0, 'closed'],
      [0, 2, 'hidden'],
      [2, 0, 'hidden'],
      [1, 2, 'hidden'],
    ] as const) {
      const within = await on.make.group(on.community, { access: group, name: `Group ${group}${space}` })
      const made = await on.make.space(within.id, { access: space, name: `Space ${group}${space}` })
      places.push({ space: Number(made.id), degree })
    }
    for (const { space, degree } of places) {
      const id = await post(space)
      for (const { browser } of [ada, eve]) {
        const [page, read] = [await browser.get(`/members/spaces/${space}`), await browser.get(`/members/posts/${id}`)]
        expect(page.text.includes(SECRET), `${degree} space`).to.equal(degree === 'open')
        expect(read.text.includes(SECRET), `${degree} post`).to.equal(degree === 'open')
        if (degree === 'hidden') expect([page.status, read.status]).to.deep.equal([404, 404])
      }
    }
    const { text } = await ada.browser.get(`/members/communities/${on.community}`)
    for (const shown of ['Space 00', 'Space 01', 'Space 10']) expect(text).to.contain(shown)
    for (const hidden of ['Space 02', 'Space 20', 'Space 12', 'Group 20']) expect(text).not.to.contain(hidden)
    const strange = memberBrowser(service, await hostOf(tenant))
    const asked = await strange.get(`/members/spaces/${places[3]!.space}`)
    expect([asked.status, asked.text.includes('Space')]).to.deep.equal([303, false])
  })

  it('15 32: a private community is there for its members alone, and a draft for who moderates', async () => {
    for (const [fields, joined, status] of [
      [{ private: true }, {}, 200],
      [{ status: 'draft' }, {}, 404],
      [{ status: 'draft' }, { moderator: true }, 200],
    ] as const) {
      tenant = await service.tenant({ test: true })
      const on = await memberCommunity(service, tenant, fields)
      const id = await post(on.space)
      const [ada, eve] = [await on.member('ada', joined), await on.person('eve')]
      const paths = [`/members/communities/${on.community}`, `/members/spaces/${on.space}`, `/members/posts/${id}`]
      for (const path of paths) {
        expect((await ada.browser.get(path)).status, path).to.equal(status)
        expect((await eve.browser.get(path)).status, path).to.equal(404)
      }
      expect((await eve.browser.get('/members/communities')).text).not.to.contain('Potters')
      expect((await ada.browser.get('/members/communities')).text.includes('Potters')).to.equal(status === 200)
    }
  })

  it('15 34 39: leaving, removal and a ban count with the next request, for one’s own posts as well', async () => {
    const on = await begun({ private: true })
    const ada = await on.member('ada')
    const id = await on.write(ada, SECRET)
    const path = `/members/posts/${id}`
    expect((await ada.browser.get(path)).status).to.equal(200)
    const ban = ok(await on.make.ban(on.community, ada.id))
    expect((await ada.browser.get(path)).status).to.equal(404)
    for (const act of ['comment', 'like', 'report', 'edit'])
      expect((await ada.browser.post(`${path}/${act}`, await formToken(ada.browser))).status, act).to.equal(404)
    expect((await ada.browser.get('/members/courses')).status).to.equal(200)
    ok(await tenant.api.delete(`/communities/bans/${ban.id}`))
    expect((await ada.browser.get(path)).status).to.equal(200)
    const [own] = ok(await tenant.api.get(`/communities/${on.community}/memberships`))
    ok(await tenant.api.delete(`/communities/memberships/${own.id}`))
    expect((await ada.browser.get(path)).status).to.equal(404)
  })

  it('15 39: who is banned reads nothing and joins nothing, of an open community too', async () => {
    const on = await begun()
    const eve = await on.person('eve')
    const id = await post(on.space)
    await on.make.ban(on.community, eve.id)
    const paths = [`/members/communities/${on.community}`, `/members/spaces/${on.space}`, `/members/posts/${id}`]
    for (const path of paths) expect((await eve.browser.get(path)).status, path).to.equal(404)
    expect((await eve.browser.get('/members/communities')).text).not.to.contain('Potters')
    const joined = await eve.browser.post(`${paths[0]}/join`, await formToken(eve.browser))
    expect(joined.status).to.equal(404)
    expect(ok(await tenant.api.get(`/communities/${on.community}/memberships`))).to.deep.equal([])
  })

  it('15 35: nothing of it stays in a cache', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const paths = ['communities', `communities/${on.community}`, `spaces/${on.space}`, `posts/${await post(on.space)}`]
    for (const path of paths)
      expect((await ada.browser.get(`/members/${path}`)).headers['cache-control'], path).to.equal('private, no-store')
  })

  it('15 36: no page has anybody’s address; who has no name is a member with a short id', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const nameless = await on.contact('nameless', { first_name: null })
    const odd = await on.contact('odd', { first_name: 'odd@example.com' })
    for (const id of [nameless, odd]) ok(await on.make.join(on.community, id))
    const id = await post(on.space, { contact_id: nameless })
    for (const contact_id of [nameless, odd]) ok(await on.make.comment(id, { contact_id }))
    const pages = []
    for (const path of [`spaces/${on.space}`, `spaces/${on.space}/write`, `posts/${id}`])
      pages.push((await ada.browser.get(`/members/${path}`)).text)
    for (const text of pages) {
      expect(text.replaceAll(/<footer>.*<\/footer>/gs, '')).not.to.match(/@example|nameless|odd@/)
      expect(text).to.contain(`Member ${ok(await tenant.api.get(`/contacts/${nameless}`)).public_id}`)
    }
  })

  it('15 55 56: a former member has no name, in what it wrote and where it was mentioned', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const grace = await on.contact('Grace', { last_name: 'Hopper' })
    ok(await on.make.join(on.community, grace))
    const body = `<p>Ask <span data-mention="${grace}">Grace H.</span>!</p>`
    const id = await post(on.space, { contact_id: grace, body })
    ok(await on.make.comment(id, { contact_id: grace, body }))
    const path = `/members/posts/${id}`
    const before = await ada.browser.get(path)
    expect(before.text).to.contain('By Grace Hopper').and.contain('<strong>@Grace Hopper</strong>')
    ok(await tenant.api.delete(`/contacts/${grace}/gdpr_destroy`))
    await service.caughtUp()
    for (const at of [path, `/members/spaces/${on.space}`]) {
      const { status, text } = await ada.browser.get(at)
      expect([status, text.includes('Grace'), text.includes('Hopper')]).to.deep.equal([200, false, false])
      expect(text).to.contain('By Former member')
    }
  })

  it('15 57: a later contact of the same name is not the one who was mentioned before', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const grace = await on.contact('Grace')
    const id = await post(on.space, { body: `<p><span data-mention="${grace}"></span></p>` })
    ok(await tenant.api.delete(`/contacts/${grace}/gdpr_destroy`))
    ok(await on.make.join(on.community, await on.contact('Grace')))
    await service.caughtUp()
    expect((await ada.browser.get(`/members/posts/${id}`)).text)
      .to.contain('@former member')
      .and.not.contain('@Grace')
  })

  it('15 34 87: a link of a mail opens its post for reading alone, and not once its contact is banned', async () => {
    const on = await begun()
    const grace = await on.contact('grace')
    ok(await on.make.join(on.community, grace))
    const path = `/members/posts/${await post(on.space)}`
    const { memberLinks, now } = service.background.core
    const expires = Math.floor(now(tenant.workspaceId) / 1000) + 3600
    const link = memberLinks.pathOf({ kind: 'reading', contactId: grace, path, expires }, 'grace@example.com')
    const browser = memberBrowser(service, await hostOf(tenant))
    expect((await browser.get(link)).headers.location).to.equal(path)
    const { status, text } = await browser.get(path)
    expect([status, text.includes(SECRET), text.includes('<form')]).to.deep.equal([200, true, false])
    expect((await browser.get(`/members/spaces/${on.space}`)).status).to.equal(303)
    expect((await browser.post(`${path}/like`)).status).to.equal(303)
    await on.make.ban(on.community, grace)
    expect((await browser.get(path)).status).to.equal(404)
  })

  it('15 37: names of contacts who do not see a post are not shown in it', async () => {
    const on = await begun({ private: true })
    const ada = await on.member('ada')
    const grace = await on.contact('Grace')
    const joined = ok(await on.make.join(on.community, grace))
    const id = await post(on.space, { body: `<p><span data-mention="${grace}"></span></p>` })
    expect((await ada.browser.get(`/members/posts/${id}`)).text).to.contain('@Grace')
    expect((await ada.browser.get(`/members/spaces/${on.space}/write`)).text).to.contain('Grace')
    ok(await tenant.api.delete(`/communities/memberships/${joined.id}`))
    for (const path of [`posts/${id}`, `spaces/${on.space}/write`])
      expect((await ada.browser.get(`/members/${path}`)).text).not.to.contain('Grace')
  })

  it('15 66: what others wrote is safe', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const body = '<p onclick="x()">Hi<script>alert(1)</script><img src="https://far.example/a.png" onerror=x></p>'
    const id = await post(on.space, { title: '<b>T</b>', body })
    for (const path of [`posts/${id}`, `spaces/${on.space}`]) {
      const { text } = await ada.browser.get(`/members/${path}`)
      expect(text).to.contain('&lt;b&gt;T')
      expect(text).not.to.match(/onclick|<script|<img|onerror/)
    }
  })

  it('15 48: what is in a deleted space is gone at once', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const id = await post(on.space)
    ok(await tenant.api.delete(`/communities/spaces/${on.space}`))
    for (const path of [`spaces/${on.space}`, `posts/${id}`, `spaces/${on.space}/write`])
      expect((await ada.browser.get(`/members/${path}`)).status, path).to.equal(404)
    await until(async () => (await tenant.api.get(`${POSTS}/${id}`)).status === 404)
  })
})
