import { expect } from 'chai'
import { placesCookie } from '../../../api/pages/places.ts'
import { askHost, BROWSER } from '../../support/hosts.ts'
import { callOf, random, submitOf, visit } from '../../support/sdk-pages.ts'
import { secretsFrom } from '../../support/secrets.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { splitFunnel } from '../../support/traffic/entry-traffic.ts'
import { builder, createdBody, uniqueUrl } from '../../support/traffic/funnels.ts'
import { hostedSite } from './support.ts'

describe('the entry of a funnel that begins with a split', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
  })
  const recorded = async (of: Tenant = tenant) => {
    await service.caughtUp()
    const { live } = service.background.stores.readModels
    const found = await live.find('visits/placement', { where: {}, limit: 5000 })
    return found.filter(({ workspace_id }) => workspace_id === of.workspaceId)
  }
  const cookieOf = (headers: { readonly 'set-cookie'?: readonly string[] }): string =>
    headers['set-cookie']![0]!.split(';')[0]!

  it('29: sends the whole query on, byte for byte, before a fragment', async () => {
    const { funnel, host } = await splitFunnel(tenant, [100, 0])
    const query = '?utm_source=x&gclid=a%2Bb&tag=1&tag=2&q=%C3%A9+%zz&'
    const { status, headers } = await askHost(service.publicUrl, host, funnel.current_path + query)
    expect([status, headers.location]).to.deep.equal([302, `${funnel.current_path}/first${query}`])
    expect(headers['cache-control']).to.equal('no-store')
    const other = await service.tenant()
    const build = builder(other)
    const elsewhere = await build.funnel('Elsewhere')
    const url = `${uniqueUrl()}#top`
    await build.external({ external_url: url, funnel: { funnel_id: elsewhere.id } })
    const [domain] = createdBody(await other.api.get(`/workspaces/${other.workspaceId}/domains`))
    const sent = await askHost(service.publicUrl, domain.name, elsewhere.current_path + query)
    expect(sent.headers.location).to.equal(url.replace('#top', `${query}#top`))
  })

  it('7, 35: keeps the place in a cookie of the host, and ignores what it did not write', async () => {
    const { funnel, host } = await splitFunnel(tenant)
    const enter = (cookie?: string) =>
      askHost(service.publicUrl, host, funnel.current_path, cookie ? { headers: { cookie } } : {})
    const first = await enter()
    const [set] = first.headers['set-cookie']!
    expect(set).to.match(/^mr_splits=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    for (let times = 0; times < 20; times++) {
      const again = await enter(cookieOf(first.headers))
      expect(again.headers.location).to.equal(first.headers.location)
      expect(again.headers['set-cookie']).to.equal(undefined)
    }
    const forged = cookieOf(first.headers).replace(/=\w+[ab]\./, '=1a.')
    for (const cookie of [
      forged,
      'mr_splits=',
      'mr_splits=%',
      `mr_splits=${'1a.'.repeat(500)}`,
      'mr_splits=x.y',
      'other=1',
    ])
      expect((await enter(cookie)).headers['set-cookie'], cookie).to.have.length(1)
  })

  it('7: promises that the cookie is that of the host alone where there is TLS', async () => {
    const cookie = placesCookie(secretsFrom(() => new Uint8Array(32)))
    expect(cookie.write(new Map([[1, 0]]), true))
      .to.match(/^__Host-mr_splits=.*; Path=\/; .*; Secure$/)
      .and.not.to.include('Domain')
    expect(cookie.read(cookie.write(new Map([[1, 0]]), false), true).size).to.equal(0)
  })

  it('35: stays below 1 kB with 50 splits and more, and drops the oldest', () => {
    const cookie = placesCookie(secretsFrom(() => new Uint8Array(32)))
    for (const count of [50, 500]) {
      const places = new Map(
        Array.from({ length: count }, (_, index) => [900_000_000 + index, index % 2 === 0 ? 0 : 1] as const),
      )
      const written = cookie.write(places, true)
      const value = written.split(';')[0]!
      expect(value.length).to.be.below(1024)
      const read = [...cookie.read(`a=b; ${value}; c=d`, true)]
      expect(read).to.deep.equal([...places].slice(-read.length))
      expect(read.length).to.equal(count === 50 ? 50 : read.length)
    }
  })

  it('30, 36: records each choice once, with the weights of its moment', async () => {
    const own = await service.tenant()
    const { funnel, split, host } = await splitFunnel(own, [30, 70])
    const enter = (cookie?: string) =>
      askHost(service.publicUrl, host, funnel.current_path, cookie ? { headers: { cookie } } : {})
    const answers = await Promise.all(Array.from({ length: 200 }, () => enter()))
    await Promise.all(answers.map(({ headers }) => enter(cookieOf(headers))))
    const found = await recorded(own)
    expect(found.length).to.equal(200)
    for (const one of found)
      expect(one).to.include({ funnel_id: funnel.id, split_id: split.id, live_mode: false, again: false })
    const firsts = answers.filter(({ headers }) => headers.location!.endsWith('/first')).length
    expect(found.filter(({ branch }) => branch === 0).length).to.equal(firsts)
    expect(found[0]!.weights).to.deep.equal([30, 70])
    // Six standard deviations.
    expect(firsts).to.be.within(60 - 39, 60 + 39)
  })

  it('31: leaves everybody where they are when weights change, and places those of an ended variant anew, once', async () => {
    const own = await service.tenant()
    const { funnel, split, host } = await splitFunnel(own, [100, 0])
    const enter = (cookie?: string) =>
      askHost(service.publicUrl, host, funnel.current_path, cookie ? { headers: { cookie } } : {})
    const weigh = async (first: number, second: number) =>
      createdBody(
        await own.api.call('PATCH', `/funnels/${funnel.id}/split_test_steps/${split.id}`, {
          split_test_step: { variants: [{ weight: first }, { weight: second }] },
        }),
      )
    const began = await enter()
    expect(began.headers.location).to.match(/\/first$/)
    await weigh(1, 99)
    expect((await enter(cookieOf(began.headers))).headers.location).to.match(/\/first$/)
    await weigh(0, 100)
    const moved = await enter(cookieOf(began.headers))
    expect(moved.headers.location).to.match(/\/second$/)
    const again = await enter(cookieOf(moved.headers))
    expect([again.headers.location, again.headers['set-cookie']]).to.deep.equal([moved.headers.location, undefined])
    const found = await recorded(own)
    expect(found.map(({ branch, again, weights }) => ({ branch, again, weights }))).to.deep.equal([
      { branch: 0, again: false, weights: [100, 0] },
      { branch: 1, again: true, weights: [0, 100] },
    ])
  })

  it('33: sends programs to the variant with the highest weight, without a cookie and without counting them', async () => {
    const own = await service.tenant()
    const { funnel, host } = await splitFunnel(own, [0, 100])
    const agents = [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'facebookexternalhit/1.1',
      'curl/8.1.0',
      BROWSER.replace('Chrome', 'HeadlessChrome'),
      'http.rb/5.1.1 (Mastodon/4.2.0; +https://social.example/)',
      'Mozilla/5.0 (compatible; UptimeRobot/2.0)',
      '',
    ]
    for (const agent of agents) {
      const { headers } = await askHost(service.publicUrl, host, funnel.current_path, {
        headers: { 'user-agent': agent },
      })
      expect([agent, headers.location, headers['set-cookie']]).to.deep.equal([
        agent,
        `${funnel.current_path}/second`,
        undefined,
      ])
    }
    const { headers } = await askHost(service.publicUrl, host, funnel.current_path, {
      method: 'HEAD',
      headers: { 'user-agent': BROWSER },
    })
    expect([headers.location, headers['set-cookie']]).to.deep.equal([`${funnel.current_path}/second`, undefined])
    expect(await recorded(own)).to.deep.equal([])
  })

  it('draws nobody for a page that is loaded in advance, and has the browser ask again', async () => {
    const own = await service.tenant()
    const { funnel, host } = await splitFunnel(own)
    const enter = (headers: Readonly<Record<string, string>>) =>
      askHost(service.publicUrl, host, `${funnel.current_path}?utm_source=x`, { headers })
    const sent: readonly Readonly<Record<string, string>>[] = [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'x-moz': 'prefetch' },
    ]
    for (const headers of sent) {
      const { status, headers: answered } = await enter(headers)
      expect([status, answered.location, answered['set-cookie']]).to.deep.equal([503, undefined, undefined])
      expect(answered['cache-control']).to.equal('no-store')
      // For a browser that shows it.
      expect(answered.refresh).to.equal(`0; url=${funnel.current_path}?utm_source=x`)
    }
    expect(await recorded(own)).to.deep.equal([])
    expect((await enter({ 'sec-purpose': 'other' })).status).to.equal(302)
    expect(await recorded(own)).to.have.length(1)
  })

  it('34: takes visitors who are not known for unmatched, and keeps nothing of that', async () => {
    const own = await service.tenant()
    const build = builder(own)
    const funnel = await build.funnel()
    const [yes, no] = [
      await build.page({ name: 'Yes', current_path: '/yes' }),
      await build.page({ name: 'No', current_path: '/no' }),
    ]
    await build.conditional(funnel.id, { branches: [{ page_id: yes.id }, { page_id: no.id }] })
    const [domain] = createdBody(await own.api.get(`/workspaces/${own.workspaceId}/domains`))
    const { headers } = await askHost(service.publicUrl, domain.name, funnel.current_path)
    expect(headers.location).to.match(/\/no$/)
    expect(headers['set-cookie']).to.equal(undefined)
    expect(await recorded(own)).to.deep.equal([])
  })

  it('34: leads a contact who has come to qualify to the matched branch, and leaves it there', async () => {
    const own = await service.tenant()
    const site = await hostedSite(service, own)
    const filters = `/workspaces/${own.workspaceId}/refine_filters`
    const criteria = [{ attribute: 'email_address', clause: 'eq', value: 'ann@vip.example' }]
    const filter = createdBody(await own.api.post(filters, { refine_filter: { name: 'Vip', criteria } }))
    const funnel = await site.funnel('Vip')
    const [yes, no] = [
      await site.page({ name: 'Yes', current_path: '/yes' }),
      await site.page({ name: 'No', current_path: '/no', markup: '<input type="email"/><button>Go</button>' }),
    ]
    const condition = { filter_id: filter.public_id }
    await site.conditional(funnel.id, { condition, branches: [{ page_id: yes.id }, { page_id: no.id }] })
    const enter = (cookie?: string) => site.get(funnel.current_path, cookie ? { headers: { cookie } } : {})
    const unknown = await enter()
    expect(unknown.headers.location).to.match(/\/no$/)
    const { text } = await site.get(unknown.headers.location!)
    const token = /cf-page-token" content="([^"]+)"/.exec(text)![1]!
    const origin = `http://${site.host}`
    const page = { id: no.id, token, url: origin + unknown.headers.location, origin }
    const call = callOf(service)
    const { session } = (await call('/visits', page, visit())).body
    const { nonce } = (await call('/nonce', page, { session })).body
    const sent = await submitOf(service)(page, { nonce, session }, [['email', 'ann@vip.example']])
    expect(sent.status).to.equal(302)
    await waitUntilSettled(service)
    const { public_id } = createdBody(await own.api.get(`/workspaces/${own.workspaceId}`))
    const known = `cf_sdk_${public_id}=${random()}${session}`
    const first = await enter(known)
    expect(first.headers.location).to.match(/\/yes$/)
    const [placed] = await recorded(own)
    expect(placed).to.include({ branch: 0, weights: null })
    createdBody(
      await own.api.call('PATCH', `/refine_filters/${filter.id}`, {
        refine_filter: { criteria: [{ ...criteria[0], value: 'bob@vip.example' }] },
      }),
    )
    const cookie = `${known}; ${cookieOf(first.headers)}`
    expect((await enter(cookie)).headers.location).to.match(/\/yes$/)
    expect((await enter(known)).headers.location).to.match(/\/no$/)
  })

  it('goes on behind a split where a branch has no page', async () => {
    const own = await service.tenant()
    const build = builder(own)
    const funnel = await build.funnel()
    await build.page({ name: 'Last', current_path: '/last', funnel: { funnel_id: funnel.id } })
    await build.conditional(funnel.id)
    const [domain] = createdBody(await own.api.get(`/workspaces/${own.workspaceId}/domains`))
    const { headers } = await askHost(service.publicUrl, domain.name, funnel.current_path)
    expect(headers.location).to.match(/\/last$/)
  })
})
