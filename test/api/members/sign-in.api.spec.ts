import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { until } from '../../support/eventually.ts'
import { askForLink, hostOf, type MemberBrowser, memberBrowser, signedIn, signInLinks } from '../../support/member.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('signing in to the members’ side', () => {
  let service: TestService
  let tenant: Tenant
  let host: string
  let people = 0

  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    host = await hostOf(tenant)
  })

  const contact = async (fields: object = {}) => {
    const email_address = `member${++people}@far.example`
    const { id } = ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact: { email_address, ...fields } }),
    )
    await service.caughtUp()
    return { id: Number(id), address: email_address }
  }
  const browser = (): MemberBrowser => memberBrowser(service, host)
  const isIn = async (one: MemberBrowser) => (await one.get('/members')).status === 200
  const advance = async (ms: number) => {
    const clock = `/workspaces/${tenant.workspaceId}/test_clock`
    const { now } = ok(await tenant.api.get(clock))
    ok(await tenant.api.post(clock, { to: new Date(Date.parse(now) + ms).toISOString() }))
    await until(async () => ok(await tenant.api.get(clock)).state === 'ready')
  }

  it('15 86: a link changes nothing when it is fetched, and its button signs in', async () => {
    const { address } = await contact()
    const link = await askForLink(service, tenant, address)
    const path = new URL(link).pathname
    const scanner = browser()
    const last = await service.background.stores.log.lastPosition()
    for (let times = 0; times < 3; times++) {
      await scanner.head(path)
      const { headers } = await scanner.get(path)
      await scanner.head(String(headers.location))
      expect((await scanner.get(String(headers.location))).status).to.equal(200)
    }
    expect(await service.background.stores.log.lastPosition()).to.equal(last)
    const one = browser()
    const { status, headers } = await one.enter(link)
    expect([status, headers.location]).to.deep.equal([303, '/members'])
    expect(await isIn(one)).to.equal(true)
  })

  it('15 89: the page says whom it signs in and whom it replaces, and takes the token of its own form alone', async () => {
    const [first, second] = [await contact(), await contact()]
    const one = await signedIn(service, tenant, first.address)
    const link = await askForLink(service, tenant, second.address)
    await one.get(new URL(link).pathname)
    const page = await one.get('/members/in')
    expect(page.text).to.contain('sign in as m…@f….example').and.contain('You are signed in as m…@f….example now')
    expect(page.text).to.not.contain(second.address)
    const forged = await one.post('/members/in', { form_token: 'x'.repeat(43) })
    expect(forged.status).to.equal(404)
    const foreign = await one.post('/members/in', {}, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).to.equal(403)
    expect((await one.get('/members')).status).to.equal(200)
  })

  it('15 90: asking is answered alike for known, unknown, deleted and unsubscribed addresses, whatever their case', async () => {
    const [known, gone, left] = [await contact(), await contact(), await contact()]
    ok(await tenant.api.delete(`/contacts/${gone.id}`))
    ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/unsubscribe_actions`, {
        contacts_unsubscribe_action: { target_ids: [left.id] },
      }),
    )
    await until(async () => ok(await tenant.api.get(`/contacts/${left.id}`)).unsubscribed_at !== null)
    const answers = await Promise.all(
      [known.address.toUpperCase(), 'nobody@far.example', gone.address, left.address].map(async (address) => {
        const { status, headers, text } = await browser().post('/members/sign-in', { address })
        return { status, to: headers.location, text, cookies: headers['set-cookie'] }
      }),
    )
    for (const answer of answers)
      expect(answer).to.deep.equal({ status: 303, to: '/members/sign-in/sent', text: '', cookies: undefined })
    await until(async () => (await signInLinks(service, tenant, known.address)).length === 1)
    await until(async () => (await signInLinks(service, tenant, left.address)).length === 1)
    expect(await signInLinks(service, tenant, gone.address)).to.have.length(0)
    expect((await browser().post('/members/sign-in', { address: 'no address' })).status).to.equal(422)
  })

  it('15 90: a contact gets three links an hour at most', async () => {
    const { address } = await contact()
    for (let times = 0; times < 3; times++) await askForLink(service, tenant, address)
    for (let times = 0; times < 2; times++)
      expect((await browser().post('/members/sign-in', { address })).headers.location).to.equal('/members/sign-in/sent')
    const other = await contact()
    await askForLink(service, tenant, other.address)
    expect(await signInLinks(service, tenant, address)).to.have.length(3)
    await advance(61 * 60_000)
    await askForLink(service, tenant, address)
    expect(await signInLinks(service, tenant, address)).to.have.length(4)
  })

  it('15 91: all links work until one is used, and then none does', async () => {
    const { address } = await contact()
    const [first, second, third] = [
      await askForLink(service, tenant, address),
      await askForLink(service, tenant, address),
      await askForLink(service, tenant, address),
    ]
    const one = browser()
    expect((await one.enter(second!)).status).to.equal(303)
    expect(await isIn(one)).to.equal(true)
    for (const used of [first!, second!, third!]) {
      const other = browser()
      await other.get(new URL(used).pathname)
      expect((await other.get('/members/in')).status).to.equal(404)
      expect(await isIn(other)).to.equal(false)
    }
  })

  it('15 91: a link works for an hour', async () => {
    const { address } = await contact()
    const link = await askForLink(service, tenant, address)
    await advance(60 * 60_000)
    const one = browser()
    await one.get(new URL(link).pathname)
    expect((await one.get('/members/in')).status).to.equal(404)
  })

  it('15 91: another address, deletion and erasure end links and sessions', async () => {
    const path = ({ id }: { readonly id: number }) => `/contacts/${id}`
    const ends = {
      moves: async (one: { readonly id: number }) =>
        ok(await tenant.api.put(path(one), { contact: { email_address: `moved${one.id}@far.example` } })),
      deletes: async (one: { readonly id: number }) => ok(await tenant.api.delete(path(one))),
      erases: async (one: { readonly id: number }) => ok(await tenant.api.delete(`${path(one)}/gdpr_destroy`)),
    }
    for (const [name, end] of Object.entries(ends)) {
      const one = await contact()
      const session = await signedIn(service, tenant, one.address)
      const link = await askForLink(service, tenant, one.address)
      expect(await isIn(session), name).to.equal(true)
      await end(one)
      expect((await session.get('/members')).headers.location, name).to.equal('/members/sign-in')
      const late = browser()
      await late.get(new URL(link).pathname)
      expect((await late.get('/members/in')).status, name).to.equal(404)
    }
  })

  it('15 91: what ended with an address does not come back with it', async () => {
    const one = await contact()
    const session = await signedIn(service, tenant, one.address)
    for (const email_address of [`away${one.id}@far.example`, one.address]) {
      ok(await tenant.api.put(`/contacts/${one.id}`, { contact: { email_address } }))
      await service.caughtUp()
    }
    await until(async () => !(await isIn(session)))
  })

  it('15 91: a changed link, and that of another workspace, sign nobody in', async () => {
    const { address } = await contact()
    const link = new URL(await askForLink(service, tenant, address)).pathname
    const at = link.length - 8
    const changed = link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1)
    const other = memberBrowser(service, await hostOf(await service.tenant()))
    for (const [one, used] of [
      [browser(), changed],
      [other, link],
    ] as const) {
      await one.get(used)
      expect((await one.get('/members/in')).status).to.equal(404)
    }
  })

  it('15 92: the token leaves the address bar, is in no referrer, and no page stays in a cache', async () => {
    const { address } = await contact()
    const link = await askForLink(service, tenant, address)
    const one = browser()
    const first = await one.get(new URL(link).pathname)
    expect([first.status, first.headers.location, first.headers['referrer-policy']]).to.deep.equal([
      303,
      '/members/in',
      'no-referrer',
    ])
    expect(first.headers['set-cookie']?.[0]).to.contain('HttpOnly').and.contain('SameSite=Lax')
    const page = await one.get('/members/in')
    const token = new URL(link).pathname.split('/').at(-1)!
    expect(page.text).to.not.contain(token)
    await one.submit('/members/in', '/members/in')
    for (const shown of [page, await one.get('/members')]) {
      expect(shown.headers['cache-control']).to.equal('private, no-store')
      expect(shown.headers['referrer-policy']).to.equal('no-referrer')
      expect(shown.headers['content-security-policy'])
        .to.contain("default-src 'none'")
        .and.contain("form-action 'self'")
    }
  })

  it('15 92: neither the token of a link nor the secret of a session is stored', async () => {
    const { address } = await contact()
    const link = await askForLink(service, tenant, address)
    const one = browser()
    await one.enter(link)
    const secret = [...one.cookies.values()][0]!.split('.')[1]!
    const stored: string[] = []
    for await (const { data, metadata } of service.background.stores.log.readAll({ after: -1 }))
      stored.push(JSON.stringify([data, metadata]))
    const all = stored.join('\n')
    expect(all).to.not.contain(secret)
    expect(all).to.not.contain(new URL(link).pathname.split('/').at(-1)!)
  })

  it('15 93: after signing in, the browser goes to a path of this host alone', async () => {
    const { address } = await contact()
    const to: Record<string, string> = {
      '/members/orders?page=2': '/members/orders?page=2',
      'https://evil.example/': '/members',
      '//evil.example': '/members',
      '/\\evil.example': '/members',
      '/\t/evil.example': '/members',
      '/.//evil.example': '/members',
      'javascript:alert(1)': '/members',
    }
    for (const [wish, place] of Object.entries(to)) {
      const link = await askForLink(service, tenant, address, wish)
      expect((await browser().enter(link)).headers.location, wish).to.equal(place)
      await advance(61 * 60_000)
    }
  })

  it('15 93: the host in the mail is that of the workspace, whatever the request said', async () => {
    const { address } = await contact()
    const link = await askForLink(service, tenant, address)
    expect(new URL(link).hostname).to.equal(host)
  })

  it('signs out on the server, too', async () => {
    const { address } = await contact()
    const one = await signedIn(service, tenant, address)
    const kept = new Map(one.cookies)
    const { headers } = await one.submit('/members', '/members/sign-out')
    expect(headers.location).to.equal('/members/signed-out')
    for (const [name, value] of kept) one.cookies.set(name, value)
    expect(await isIn(one)).to.equal(false)
  })

  it('takes no form without the token of its session', async () => {
    const { address } = await contact()
    const one = await signedIn(service, tenant, address)
    for (const fields of [{}, { form_token: '' }, { form_token: 'a'.repeat(43) }] as Record<string, string>[])
      expect((await one.post('/members/sign-out', fields)).status).to.equal(403)
    expect(await isIn(one)).to.equal(true)
    expect((await browser().post('/members/sign-out')).headers.location).to.equal(
      '/members/sign-in?to=%2Fmembers%2Fsign-out',
    )
  })
})
