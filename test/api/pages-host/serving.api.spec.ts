import { expect } from 'chai'
import { askHost } from '../../support/hosts.ts'
import { startTestService, testService } from '../../support/service.ts'
import { splitFunnel } from '../../support/traffic/entry-traffic.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

describe('hosted pages', () => {
  let site: HostedSite
  before(async () => {
    site = await hostedSite(await testService())
    // While there is one workspace, the name of the machine is its host too.
    await site.service.tenant()
  })
  const ask = (host: string, path = '/', headers = {}) => askHost(site.service.publicUrl, host, path, { headers })

  it('1: are served by the name of their host, whatever its case, port and dot', async () => {
    await site.standalone('/about', { markup: saying('About us') })
    for (const host of [site.host, site.host.toUpperCase(), `${site.host}:4001`, `${site.host}.`, `${site.host}.:80`]) {
      const { status, text, headers } = await ask(host, '/about')
      expect([host, status]).to.deep.equal([host, 200])
      expect(text).to.include('<h1 class="text"').and.to.include('About us')
      expect(headers['content-type']).to.equal('text/html; charset=utf-8')
    }
  })

  it('2: are unknown at every other host, where nothing is shown', async () => {
    for (const host of [
      '127.0.0.1',
      '[::1]',
      `${site.host}.evil.example`,
      `evil${site.host}`,
      `x.${site.host}`,
      'evil.example',
      'localhost',
    ]) {
      const { status, text } = await ask(host, '/about')
      expect([host, status]).to.deep.equal([host, 404])
      expect(text).not.to.include('About').and.not.to.include(site.host)
    }
  })

  it('3: go by the header of a proxy only where there is one', async () => {
    const { status } = await ask('evil.example', '/about', { 'x-forwarded-host': site.host })
    expect(status).to.equal(404)
    const other = await ask(site.host, '/about', { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' })
    expect(other.status).to.equal(200)
    expect(other.text).not.to.include('evil.example')
  })

  it('13b 3: say of their own address what the domain says, whatever headers claim', async () => {
    const funnel = await site.funnel('Claimed')
    await site.step(funnel.id, '/first', { markup: saying('First'), seo_index: true })
    await site.standalone('/claimed', { markup: saying('Claimed'), seo_index: true })
    const headers = {
      ...{ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.1' },
      forwarded: 'for=203.0.113.1;host=evil.example;proto=https',
    }
    for (const path of ['/claimed', '/claimed/', funnel.current_path, '/sitemap.xml', '/robots.txt', '/nowhere', '/'])
      for (const sent of [headers, {}]) {
        const { text, headers: answered } = await ask(site.host, path, sent)
        expect(JSON.stringify([path, text, answered])).not.to.include('evil.example')
      }
    const { text } = await ask(site.host, '/claimed', headers)
    const [, canonical] = /<link rel="canonical" href="([^"]+)"/.exec(text)!
    const [, shared] = /property="og:url" content="([^"]+)"/.exec(text)!
    expect([canonical, shared]).to.deep.equal([canonical, canonical])
    expect(new URL(canonical!).hostname).to.equal(site.host)
    const { headers: entered } = await ask(site.host, (await splitFunnel(site.tenant)).funnel.current_path, headers)
    expect(entered['set-cookie']![0]).not.to.match(/Secure|__Host-/)
  })

  it('13b 3: believe a proxy that the operator has named, and keep nothing of what it said', async () => {
    const behind = await hostedSite(await startTestService({ MILLRACE_BEHIND_PROXY: '1' }))
    await behind.standalone('/here', { markup: saying('Here'), seo_index: true })
    const through = (host: string, path: string, forwarded: string) =>
      askHost(behind.service.publicUrl, host, path, {
        headers: { 'x-forwarded-host': forwarded, 'x-forwarded-proto': 'https' },
      })
    const lost = await through(behind.host, '/here', 'evil.example')
    expect(lost.status).to.equal(404)
    expect(lost.text).not.to.include('Here').and.not.to.include('evil.example').and.not.to.include(behind.host)
    const found = await through('proxy.internal', '/here', behind.host)
    expect([found.status, found.text.includes('Here')]).to.deep.equal([200, true])
    const { funnel } = await splitFunnel(behind.tenant)
    const { headers } = await through('proxy.internal', funnel.current_path, behind.host)
    expect(headers['set-cookie']![0]).to.match(/^__Host-mr_splits=.*; Secure$/)
    for (const path of ['/here', '/sitemap.xml', '/nowhere']) {
      const next = await behind.get(path)
      expect(JSON.stringify([next.text, next.headers]))
        .not.to.include('evil.example')
        .and.not.to.include('proxy.internal')
    }
  })

  it('4: never show the pages of one workspace to another', async () => {
    const other = await hostedSite(site.service)
    for (const each of [site, other]) await each.standalone('/offer', { markup: saying(`Offer of ${each.host}`) })
    const first = await site.get('/offer')
    for (let times = 0; times < 200; times++) {
      const each = times % 2 === 0 ? site : other
      expect((await each.get('/offer')).text).to.include(`Offer of ${each.host}`)
    }
    const headers = { 'if-none-match': first.headers.etag! }
    expect((await other.get('/offer', { headers })).status).to.equal(200)
    expect((await site.get('/offer', { headers })).status).to.equal(304)
  })

  it('8: let a proxy ask whether a host is connected', async () => {
    const connected = async (name: string) =>
      (await ask('proxy.internal', `/.well-known/millrace/host?name=${name}`)).status
    expect(await connected(site.host)).to.equal(200)
    expect(await connected(site.host.toUpperCase())).to.equal(200)
    for (const name of [`x.${site.host}`, `www.www.${site.host}`, 'evil.example', '', '..', '127.0.0.1'])
      expect([name, await connected(name)]).to.deep.equal([name, 404])
  })

  it('9: cannot have the paths of the service', async () => {
    for (const path of ['/robots.txt', '/sitemap.xml', '/favicon.ico', '/.well-known/x', '/images/x', '/%69mages/x']) {
      const { api, workspaceId } = site.tenant
      const page = await api.post(`/workspaces/${workspaceId}/pages`, { page: { name: 'X', current_path: path } })
      expect([path, page.status]).to.deep.equal([path, 422])
      const funnel = await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: 'X', current_path: path } })
      expect([path, funnel.status]).to.deep.equal([path, 422])
    }
  })

  it('12: are not remembered as missing', async () => {
    expect((await site.get('/new')).status).to.equal(404)
    const { id } = await site.standalone('/new', { markup: saying('New') })
    const { status, headers } = await site.get('/new')
    expect(status).to.equal(200)
    expect((await site.tenant.api.delete(`/pages/${id}`)).status).to.equal(204)
    expect((await site.get('/new')).status).to.equal(404)
    expect((await site.get('/new', { headers: { 'if-none-match': headers.etag! } })).status).to.equal(404)
  })

  it('say in the words of the theme that there is none', async () => {
    const { api, workspaceId } = site.tenant
    const page = await site.standalone('/lost', { markup: saying('Lost your way?'), seo_index: true })
    const [theme] = (await api.get(`/workspaces/${workspaceId}/themes`)).body
    const show = (id: string) =>
      api.put(`/themes/${theme.id}`, { theme: { template_pages: { not_found_template_page: id } } })
    expect((await site.get('/nowhere')).text).to.include('Page not found')
    await show(page.public_id)
    const { status, text, headers } = await site.get('/nowhere')
    expect([status, headers.etag, headers['x-robots-tag']]).to.deep.equal([404, undefined, 'noindex'])
    expect(text).to.include('Lost your way?')
    expect((await site.get('/lost')).status).to.equal(200)
    await show('')
    expect((await site.get('/nowhere')).text).to.include('Page not found')
  })

  it('20: have one address with and without a slash, on the same origin', async () => {
    const { status, headers } = await site.get('/about/?a=1&b=%2f')
    expect([status, headers.location]).to.deep.equal([302, '/about?a=1&b=%2f'])
    for (const path of [
      '//evil.example/',
      '///evil.example',
      '//about',
      '/about//',
      '/%2Fabout',
      '/about%2F',
      '//evil.example/%2e%2e',
    ])
      expect([path, (await site.get(path)).status]).to.deep.equal([path, 404])
  })

  it('21: are found by any spelling of their path', async () => {
    await site.standalone('/café', { markup: saying('Coffee') })
    for (const path of ['/caf%C3%A9', '/caf%c3%a9', '/cafe%CC%81', '/%63afe%CC%81'])
      expect([path, (await site.get(path)).status]).to.deep.equal([path, 200])
    for (const path of ['/caf%', '/caf%C3', '/caf%ZZ', '/%FF', '/cafe', '/Caf%C3%A9'])
      expect([path, (await site.get(path)).status]).to.deep.equal([path, 404])
  })

  it('13b 21: cannot have paths that differ from each other in their spelling alone', async () => {
    const { api, workspaceId } = site.tenant
    const refused = async (path: string, body: object, field: string) => {
      const { status, body: answer } = await api.post(`/workspaces/${workspaceId}${path}`, body)
      expect([status, answer.details[0].field, answer.details[0].code]).to.deep.equal([422, field, 'taken'])
    }
    const spellings = ['/th%C3%A9', '/th%c3%a9', '/the\u0301', '/th%65%CC%81']
    await site.standalone('/thé')
    for (const current_path of spellings)
      await refused('/pages', { page: { name: 'Tea', current_path } }, 'page.current_path')
    await site.standalone('/thé')
    await site.standalone('/tHé')
    createdBody(await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: 'T', current_path: '/thés' } }))
    const funnel = { name: 'T', current_path: '/th%C3%A9s' }
    await refused('/funnels', { funnel }, 'funnel.current_path')
    const own = await site.funnel('Steps')
    await site.step(own.id, '/thé')
    for (const current_path of spellings) {
      const page = { name: 'Tea', current_path, funnel: { funnel_id: own.id } }
      await refused('/pages', { page }, 'page.current_path')
    }
    await site.step(own.id, '/caf%c3%a9s')
    const made = await site.page({ name: 'Cafés', funnel: { funnel_id: own.id } })
    expect(made.url).to.match(/\/cafes$/)
  })

  it('13b 21: no escaped slash divides a path, and a split takes no page whose path is there in another spelling', async () => {
    await site.standalone('/a/b', { markup: saying('Divided') })
    expect((await site.get('/a/b')).status).to.equal(200)
    expect((await site.get('/a%2Fb')).status).to.equal(404)
    const own = await site.funnel('Split')
    const first = await site.step(own.id, '/crème')
    const other = await site.standalone('/cr%C3%A8me')
    const { status, body } = await site.tenant.api.post(`/funnels/${own.id}/split_test_steps`, {
      split_test_step: { variants: [{ page_id: first.id }, { page_id: other.id }] },
    })
    expect([status, body.details[0].code]).to.deep.equal([422, 'taken'])
  })

  it('13: answer HEAD like GET, without a body, and nothing else', async () => {
    for (const path of ['/about', '/robots.txt', '/sitemap.xml', '/favicon.ico', '/missing', '/about/']) {
      const [get, head] = [await site.get(path), await site.get(path, { method: 'HEAD' })]
      expect([path, head.status, head.bytes.length]).to.deep.equal([path, get.status, 0])
      for (const name of ['etag', 'content-type', 'location', 'cache-control', 'content-length'])
        expect([path, name, head.headers[name]]).to.deep.equal([path, name, get.headers[name]])
    }
    const { status, headers } = await site.get('/about', { method: 'POST' })
    expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD'])
  })
})
