import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { formToken, memberCommunity, type Person } from '../../../support/member-communities.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'

const STRICT = { require_post_approvals: true, require_comment_approvals: true }

describe('writing in communities on the members’ side', () => {
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

  it('is for members: who has joined posts, comments, likes and takes the like back', async () => {
    const on = await begun()
    const [ada, eve] = [await on.member('ada'), await on.person('eve')]
    const id = await on.write(ada, 'Crawling', 'Why?\n\nSee https://example.com/a?b=1&c=2.')
    expect(await on.stored(id)).to.include({ contact_id: ada.id, title: 'Crawling' })
    expect(await read(eve, id)).to.contain('<a href="https://example.com/a?b=1&amp;c=2" rel="ugc nofollow noopener">')
    for (const act of ['comment', 'like', 'report', 'edit', 'delete', 'approve', 'decline', 'pin'])
      expect(await press(eve, `${at(id)}/${act}`, { body: 'Hi' }), act).to.equal(404)
    expect(await press(eve, `/members/spaces/${on.space}/write`, { title: 'Hi' })).to.equal(404)

    const joined = await eve.browser.submit(at(id), `/members/communities/${on.community}/join`)
    expect(joined.status).to.equal(303)
    await on.comment(eve, id, 'Thinner.')
    expect(await read(ada, id))
      .to.contain('Thinner.')
      .and.contain('By eve')
    for (const [act, likes] of [
      ['like', '1 like'],
      ['like', '1 like'],
      ['unlike', '0 likes'],
      ['unlike', '0 likes'],
    ] as const) {
      expect(await press(eve, `${at(id)}/${act}`)).to.equal(303)
      expect(await read(ada, id)).to.contain(likes)
    }
  })

  it('one joins and leaves by oneself, and follows spaces that are open', async () => {
    const on = await begun()
    const eve = await on.person('eve')
    const closed = await on.make.space(on.group, { access: 1, name: 'Raku' })
    const home = `/members/communities/${on.community}`
    expect((await eve.browser.submit(home, `${home}/join`)).status).to.equal(303)
    const space = `/members/spaces/${on.space}`
    expect((await eve.browser.submit(space, `${space}/follow`)).status).to.equal(303)
    expect(await press(eve, `/members/spaces/${closed.id}/follow`)).to.equal(200)
    const [own] = ok(await tenant.api.get(`/communities/${on.community}/memberships`))
    expect([own.contact.id, own.moderator, own.space_ids]).to.deep.equal([eve.id, false, [on.space]])
    expect((await eve.browser.submit(space, `${space}/unfollow`)).status).to.equal(303)
    expect((await eve.browser.submit(`${home}/leave`, `${home}/leave`)).status).to.equal(303)
    expect(ok(await tenant.api.get(`/communities/${on.community}/memberships`))).to.deep.equal([])
  })

  it('nobody joins a community by itself that is for those who are invited', async () => {
    const on = await begun({ invite_only: true })
    const eve = await on.person('eve')
    const home = `/members/communities/${on.community}`
    expect((await eve.browser.get(home)).text)
      .to.contain('by invitation alone')
      .and.not.contain(`${home}/join`)
    expect(await press(eve, `${home}/join`)).to.equal(403)
    expect(ok(await tenant.api.get(`/communities/${on.community}/memberships`))).to.deep.equal([])
  })

  it('15 44: words of the block list are refused, with what was typed still in the form', async () => {
    const on = await begun({ enable_block_list: true })
    const ada = await on.member('ada')
    const path = `/members/spaces/${on.space}/write`
    const refused = await ada.browser.submit(path, path, { title: 'Glaze', body: 'This is bullshit' })
    expect(refused.status).to.equal(422)
    expect(refused.text)
      .to.contain('role="alert"')
      .and.contain('This is bullshit</textarea>')
      .and.contain('value="Glaze"')
    const id = await on.write(ada, 'Crawling')
    expect((await edit(ada, id, { body: 'Shit' })).status).to.equal(422)
    expect((await on.stored(id)).body).to.equal('What now?')
  })

  it('15 37: mentions are offered and taken for those alone who see the post', async () => {
    const on = await begun()
    const [ada, grace] = [await on.member('ada'), await on.member('grace')]
    const eve = await on.contact('eve')
    const path = `/members/spaces/${on.space}/write`
    const { text } = await ada.browser.get(path)
    expect(text).to.contain(`name="mention" value="${grace.id}"`).and.not.contain(`value="${eve}"`)
    const id = await on.write(ada, 'Crawling', `Ask @[${grace.id}]!`)
    expect(await read(grace, id)).to.contain('Ask <strong>@grace</strong>!')
    expect((await ada.browser.get(`${at(id)}/edit`)).text).to.contain(`Ask @[${grace.id}]!</textarea>`)
    const banned = await on.contact('banned')
    await on.make.ban(on.community, banned)
    const refused = await ada.browser.submit(path, path, { title: 'Crawling', body: `Ask @[${banned}]` })
    expect([refused.status, /mentioned somebody who does not see/.test(refused.text)]).to.deep.equal([422, true])
  })

  it('offers for mentions those who see the space, however many others joined before, and finds others by name', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const join = async (name: string, joined: object = {}): Promise<number> => {
      const id = await on.contact(name, { first_name: name, last_name: 'Ω' })
      ok(await on.make.join(on.community, id, joined))
      return id
    }
    const private_ = Number((await on.make.space(on.group, { access: 1 })).id)
    const others: number[] = []
    for (let n = 0; n < 82; n++) others.push(await join(`nobody${n}`))
    const [rita, tom] = [await join('Rita', { space_ids: [private_] }), await join('Tom', { space_ids: [private_] })]
    const membership = (await tenant.api.get(`/communities/${on.community}/memberships?contact_id=${ada.id}`)).body[0]
    await tenant.api.put(`/communities/memberships/${membership.id}`, {
      communities_membership: { space_ids: [private_] },
    })
    await service.caughtUp()
    const offeredIn = (text: string) =>
      [...text.matchAll(/name="mention" value="(\d+)"( checked)?/g)].map(([, id, checked]) => `${id}${checked ?? ''}`)
    const path = (space: number) => `/members/spaces/${space}/write`
    expect(offeredIn((await ada.browser.get(path(private_))).text)).to.deep.equal([`${rita}`, `${tom}`])
    const open = await ada.browser.get(path(on.space))
    expect(offeredIn(open.text)).to.have.length(40).and.not.include(`${tom}`)
    const find = async (name: string, mention?: number, space = on.space) => {
      const chosen = mention !== undefined && { mention: `${mention}` }
      const sent = { title: 'Kiln', body: 'A <text>', find: name, search: '1', ...chosen }
      const { status, text } = await ada.browser.submit(path(space), path(space), sent)
      expect([status, text.includes('A &lt;text&gt;</textarea>'), text.includes('value="Kiln"')]).to.deep.equal([
        200,
        true,
        true,
      ])
      return offeredIn(text)
    }
    expect(await find(' tO'), 'by its beginning').to.deep.equal([`${tom}`])
    expect(await find('Rita ω', tom), 'beside whom was chosen').to.deep.equal([`${tom} checked`, `${rita}`])
    expect(await find('ω'), 'by a name of one letter').to.have.length(40)
    expect(await find('nobody81', undefined, private_), 'who does not see the space').to.deep.equal([])
    expect(await find('x'), 'nobody').to.deep.equal([])
  })

  it('15 50: nobody comments on, likes or answers what is not shown', async () => {
    const on = await begun(STRICT)
    const [ada, grace, mod] = [
      await on.member('ada'),
      await on.member('grace'),
      await on.member('mod', { moderator: true }),
    ]
    const id = await on.write(ada, 'Crawling')
    for (const act of ['comment', 'like']) expect(await press(grace, `${at(id)}/${act}`, { body: 'Hi' })).to.equal(404)
    expect([await press(ada, `${at(id)}/comment`, { body: 'Hi' }), await press(ada, `${at(id)}/like`)]).to.deep.equal([
      422, 409,
    ])
    await mod.browser.submit(at(id), `${at(id)}/approve`)
    const comment = await on.comment(ada, id, 'Waiting')
    for (const one of [ada, grace])
      expect(await press(one, `/members/comments/${comment}/reply`, { body: 'Hi' })).to.equal(404)
  })

  it('needs the token of the form, and a browser that is signed in', async () => {
    const on = await begun()
    const ada = await on.member('ada')
    const id = await on.write(ada, 'Crawling')
    expect((await ada.browser.post(`${at(id)}/like`, { form_token: 'x' })).status).to.equal(403)
    ada.browser.cookies.clear()
    const { status, headers } = await ada.browser.post(`${at(id)}/like`)
    expect([status, String(headers.location)]).to.deep.equal([
      303,
      `/members/sign-in?to=${encodeURIComponent(`${at(id)}/like`)}`,
    ])
  })

  it('bad input gets an answer, never a failure', async () => {
    const on = await begun()
    const [ada, bob] = [await on.member('ada'), await on.member('bob')]
    const [id, other] = [await on.write(ada, 'Crawling'), await on.write(bob, 'Pinholes')]
    const long = 'x'.repeat(100_001)
    for (const [path, fields, status] of [
      [`/members/spaces/${on.space}/write`, { title: '', body: '' }, 422],
      [`/members/spaces/${on.space}/write`, { title: 'x'.repeat(256), body: 'a' }, 422],
      [`/members/spaces/${on.space}/write`, { title: 'a', body: long }, 422],
      [`/members/spaces/${on.space}/write`, { title: 'a\0\ud800', body: '\0', mention: '-1' }, 303],
      [`${at(id)}/comment`, { body: ' ' }, 422],
      [`${at(id)}/edit`, { title: ' ' }, 422],
      [`${at(other)}/report`, { report_type: 'x' }, 200],
      [`/members/posts/999999/like`, {}, 404],
      [`/members/comments/999999999999999/like`, {}, 404],
    ] as const)
      expect(await press(ada, path, fields), path).to.equal(status)
  })
})
