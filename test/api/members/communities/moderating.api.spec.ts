import { expect } from 'chai'
import { commentRules, posts } from '../../../../domain/communities/public.ts'
import { ask } from '../../../../domain/kernel/decide/ask.ts'
import { ok } from '../../../support/client.ts'
import { formToken, memberCommunity, type Person } from '../../../support/member-communities.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'

const STRICT = { require_post_approvals: true, require_comment_approvals: true }

describe('moderating in communities on the members’ side', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
  })
  const begun = (fields: object = {}, inSpace: object = {}) => memberCommunity(service, tenant, fields, inSpace)
  const at = (id: number) => `/members/posts/${id}`
  const read = async ({ browser }: Person, id: number) => (await browser.get(at(id))).text
  const edit = ({ browser }: Person, id: number, fields: Record<string, string>) =>
    browser.submit(`${at(id)}/edit`, `${at(id)}/edit`, { title: 'Crawling', ...fields })
  /** Presses a button that an attentive browser would not show, too. */
  const press = async ({ browser }: Person, path: string, fields: object = {}) =>
    (await browser.post(path, { ...(await formToken(browser)), ...fields })).status

  it('15 44: what waits for approval is seen by its author and moderators, and the approved text stays up', async () => {
    const on = await begun(STRICT)
    const [ada, grace, mod] = [
      await on.member('ada'),
      await on.member('grace'),
      await on.member('mod', { moderator: true }),
    ]
    const id = await on.write(ada, 'Crawling', 'First text')
    expect((await on.stored(id)).is_pending).to.equal(true)
    expect((await ada.browser.get(`/members/spaces/${on.space}`)).text).to.contain('Waits for approval')
    expect((await grace.browser.get(at(id))).status).to.equal(404)
    expect((await grace.browser.get(`/members/spaces/${on.space}`)).text).not.to.contain('Crawling')
    expect((await mod.browser.get(`/members/communities/${on.community}/moderation`)).text).to.contain('Crawling')
    expect((await mod.browser.submit(at(id), `${at(id)}/approve`)).status).to.equal(303)

    expect((await edit(ada, id, { body: 'Second text' })).status).to.equal(303)
    expect(await read(grace, id))
      .to.contain('First text')
      .and.not.contain('Second text')
    expect(await read(ada, id))
      .to.contain('First text')
      .and.contain('Second text')
    expect((await on.stored(id)).pending_edit).to.deep.equal({ title: 'Crawling', body: 'Second text' })
    await mod.browser.submit(at(id), `${at(id)}/approve`)
    expect(await read(grace, id))
      .to.contain('Second text')
      .and.not.contain('First text')

    expect((await edit(mod, id, { body: 'Third text' })).status).to.equal(303)
    expect(await read(grace, id)).to.contain('Third text')
  })

  it('15 45: an approval is one of what the moderator saw', async () => {
    const on = await begun(STRICT)
    const [ada, mod] = [await on.member('ada'), await on.member('mod', { moderator: true })]
    const id = await on.write(ada, 'Crawling', 'Harmless')
    const [, seen_rev = ''] = /name="seen_rev" value="(\d+)"/.exec(await read(mod, id)) ?? []
    await edit(ada, id, { body: 'Spam' })
    expect(await press(mod, `${at(id)}/approve`, { seen_rev })).to.equal(409)
    expect(await press(mod, `${at(id)}/approve`)).to.equal(409)
    expect((await on.stored(id)).approved_at).to.equal(null)
    await mod.browser.submit(at(id), `${at(id)}/approve`)
    expect(await on.stored(id)).to.include({ body: 'Spam', is_pending: false })
  })

  it('15 46 47: reports count contacts, hide nothing, and are dismissed for the same text', async () => {
    const on = await begun()
    const people = [await on.member('ada'), await on.member('grace'), await on.member('edith')] as const
    const [ada, grace, edith] = people
    const mod = await on.member('mod', { moderator: true })
    const id = await on.write(ada, 'Crawling')
    const report = async ({ browser }: Person, report_type = 'abuse') =>
      (await browser.submit(`${at(id)}/report`, `${at(id)}/report`, { report_type })).status
    for (const one of [grace, grace, edith]) expect(await report(one)).to.equal(200)
    expect(await on.stored(id)).to.include({ report_count: 2, report_type: 'abuse', is_pending: false })
    expect(await read(grace, id)).to.contain('What now?')
    expect((await mod.browser.get(`/members/communities/${on.community}/moderation`)).text).to.contain('2 reports')
    expect((await mod.browser.submit(at(id), `${at(id)}/dismiss`)).status).to.equal(303)
    await report(grace)
    expect(await on.stored(id)).to.include({ report_count: 0, reported_at: null })
    await edit(ada, id, { body: 'Something worse' })
    await report(grace)
    expect(await on.stored(id)).to.include({ report_count: 1 })
  })

  it('15 42: a banned moderator moderates nothing, above all not its own ban', async () => {
    const on = await begun(STRICT)
    const [ada, mod] = [await on.member('ada'), await on.member('mod', { moderator: true })]
    const id = await on.write(ada, 'Crawling')
    expect((await mod.browser.get(at(id))).text).to.contain(`${at(id)}/approve`)
    await on.make.ban(on.community, mod.id)
    for (const act of ['approve', 'decline', 'dismiss', 'pin', 'edit', 'delete'])
      expect(await press(mod, `${at(id)}/${act}`, { seen_rev: '0' }), act).to.equal(404)
    expect((await mod.browser.get(`/members/communities/${on.community}/moderation`)).status).to.equal(404)
    expect(ok(await tenant.api.get(`/communities/${on.community}/bans`))).to.have.length(1)
    expect((await on.stored(id)).is_pending).to.equal(true)
  })

  it('members moderate nothing, and change nothing of others', async () => {
    const on = await begun()
    const [ada, grace] = [await on.member('ada'), await on.member('grace')]
    const id = await on.write(ada, 'Crawling')
    const before = await on.stored(id)
    for (const act of ['approve', 'decline', 'decline-edit', 'dismiss', 'pin', 'unpin'])
      expect(await press(grace, `${at(id)}/${act}`), act).to.equal(409)
    for (const act of ['edit', 'delete']) expect(await press(grace, `${at(id)}/${act}`, { title: 'x' })).to.equal(404)
    expect(await on.stored(id)).to.deep.equal(before)
  })

  it('15 46: moderators decline, pin and unpin, and what is declined is not shown, though pinned', async () => {
    const on = await begun()
    const [ada, mod] = [await on.member('ada'), await on.member('mod', { moderator: true })]
    const id = await on.write(ada, 'Crawling')
    expect((await mod.browser.submit(at(id), `${at(id)}/pin`)).status).to.equal(303)
    expect((await ada.browser.get(`/members/spaces/${on.space}`)).text).to.contain('<h2>Pinned</h2>')
    expect((await mod.browser.submit(at(id), `${at(id)}/decline`)).status).to.equal(303)
    expect((await ada.browser.get(`/members/spaces/${on.space}`)).text).not.to.contain('Crawling')
    expect((await ada.browser.get(at(id))).status).to.equal(404)
    expect(await read(mod, id)).to.contain('Declined')
  })

  it('an author is not offered to report itself, and is refused: post and comment alike', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const id = await on.write(ada, 'Crawling')
    const { id: said } = ok(await on.make.comment(id, { body: 'Thin.', contact_id: ada.id }))
    for (const path of [at(id), `/members/comments/${said}`]) {
      expect(await read(ada, id)).to.not.contain(`${path}/report`)
      const asked = await ada.browser.get(`${path}/report`)
      expect([asked.status, asked.text.includes('<fieldset')]).to.deep.equal([422, false])
      expect(await press(ada, `${path}/report`, { report_type: 'spam' })).to.equal(422)
    }
    expect(await on.stored(id)).to.include({ report_count: 0, reported_at: null })
  })

  it('shows what was reported most first, and everything page by page', async () => {
    const on = await begun()
    const [grace, mod] = [await on.member('grace'), await on.member('mod', { moderator: true })]
    const others = [await on.contact('edith'), await on.contact('hedy')]
    for (const id of others) await on.make.join(on.community, id)
    const report = async (what: 'posts' | 'comments', id: number, by_id: number) => {
      const wanted = { by_id, report_type: 'spam' } as const
      await tenant.carryOut!(
        what === 'posts' ? ask(posts, id, 'report', wanted) : ask(commentRules, id, 'report', wanted),
      )
    }
    const written: number[] = []
    for (let n = 0; n < 60; n++) {
      const id = Number((await on.make.post(on.space, { title: `Post ${n}!` })).id)
      written.push(id)
      await report('posts', id, grace.id)
    }
    const { id: comment } = (await on.make.comment(written[3]!, { body: '<p>Buy now</p>' })).body
    for (const id of others) await report('posts', written[59]!, id)
    await report('comments', Number(comment), grace.id)
    await report('comments', Number(comment), others[0]!)

    const seen: string[] = []
    let path: string | undefined = `/members/communities/${on.community}/moderation`
    const lengths: number[] = []
    while (path !== undefined) {
      const { text } = await mod.browser.get(path)
      const links = [...text.matchAll(/<a href="\/members\/(posts|comments)\/(\d+)">/g)].map(
        ([, kind, id]) => `${kind} ${id}`,
      )
      lengths.push(links.length)
      seen.push(...links)
      path = /href="([^"]+)">More to be looked at/.exec(text)?.[1]
    }
    const rest = written
      .slice(0, 59)
      .toReversed()
      .map((id) => `posts ${id}`)
    expect(seen).to.deep.equal([`posts ${written[59]}`, `comments ${comment}`, ...rest])
    expect(lengths).to.deep.equal([50, 11])
  })
})
