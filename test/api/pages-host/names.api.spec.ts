import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { memberBrowser } from '../../support/member.ts'
import { keptMails } from '../../support/owed-mails.ts'
import { BEHIND_A_PROXY, connect, publicSite } from '../../support/public-names.ts'
import { callOf, type SdkPage, submitOf, visit } from '../../support/sdk-pages.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { saying } from './support.ts'

const OPT_IN = saying('Hello', '<input type="email"/><button>Send</button>')

describe('the names at which a workspace answers', () => {
  let service: TestService
  let sites = 0
  before(async () => {
    service = await startTestService(BEHIND_A_PROXY)
  })
  const newSite = () => publicSite(service, `shop${++sites}.example.com`)
  type PublicSite = Awaited<ReturnType<typeof newSite>>

  const posted = async ({ tenant }: PublicSite) => {
    const [blog] = createdBody(await tenant.api.get(`/workspaces/${tenant.workspaceId}/blogs`))
    const blogs_post = { title: 'Fire', visibility: 'public', markup: saying('Fire') }
    return createdBody(await tenant.api.post(`/blogs/${blog.id}/posts`, { blogs_post }))
  }
  const choose = ({ tenant }: PublicSite, main_domain_id: unknown) =>
    tenant.api.put(`/workspaces/${tenant.workspaceId}/site`, { site: { main_domain_id } })
  const urlOf = async ({ tenant }: PublicSite, id: number) => ok(await tenant.api.get(`/pages/${id}`)).url
  const pageAt = (id: number, html: string, url: string): SdkPage => ({
    ...{ id, url, origin: new URL(url).origin },
    token: /name="cf-page-token" content="(\w+)"/.exec(html)![1]!,
  })
  const beginning = async ({ token, url, origin }: SdkPage) => {
    const asked = `${service.sdkUrl}/init?sdk_page_token=${token}&url=${encodeURIComponent(url)}`
    return JSON.parse(await (await fetch(asked, { headers: { origin } })).text())
  }

  it('are connected public names before one that means the machine of whoever reads it', async () => {
    const site = await newSite()
    const { id } = await site.standalone('/about', { markup: saying('About'), seo_index: true })
    expect(await urlOf(site, id)).to.equal(`https://${site.name}/about`)
    const { text } = await site.at('/about')
    expect(text).to.include(`<link rel="canonical" href="https://${site.name}/about">`)
    expect((await site.at('/sitemap.xml')).text).to.include(`<loc>https://${site.name}/about</loc>`)
    expect((await site.at('/robots.txt')).text).to.include(`Sitemap: https://${site.name}/sitemap.xml`)
  })

  it('never are ones that are only requested', async () => {
    const site = await newSite()
    const name = `a-pending-${sites}.example.com`
    ok(await site.tenant.api.post(`/workspaces/${site.tenant.workspaceId}/domains`, { domain: { name } }))
    ok(await site.tenant.api.delete(`/domains/${site.domainId}`))
    await waitUntilSettled(service)
    const { id } = await site.standalone('/about')
    expect(new URL(await urlOf(site, id)).hostname).to.equal(site.host)
  })

  it('are served at the blog of every connected host, without a redirect to another', async () => {
    const site = await newSite()
    const post = await posted(site)
    expect(post.url).to.equal(`https://${site.name}/blog/fire`)
    for (const host of [site.name, site.host])
      for (const path of ['/blog', '/blog/fire', '/blog/feed']) {
        const { status, text } = await site.at(path, host)
        expect([host, path, status]).to.deep.equal([host, path, 200])
        expect(text).to.include(`https://${site.name}/blog`).and.not.to.include('.localhost')
      }
    expect((await site.at('/sitemap.xml')).text).to.include(`<loc>https://${site.name}/blog/fire</loc>`)
  })

  it('begin with the one that the workspace has chosen; one that is not connected cannot be', async () => {
    const site = await newSite()
    const second = await connect(site.tenant, `second${sites}.example.com`)
    const { id } = await site.standalone('/about')
    expect(ok(await choose(site, second)).main_domain_id).to.equal(second)
    expect(await urlOf(site, id)).to.equal(`https://second${sites}.example.com/about`)
    const { workspaceId, api } = site.tenant
    const pending = ok(await api.post(`/workspaces/${workspaceId}/domains`, { domain: { name: `p${sites}.example` } }))
    const refused = await choose(site, pending.id)
    expect(refused.status).to.equal(422)
    expect(refused.body.details[0]).to.include({ field: 'site.main_domain_id', code: 'not_connected' })
    expect(await urlOf(site, id)).to.equal(`https://second${sites}.example.com/about`)
    ok(await api.delete(`/domains/${second}`))
    await waitUntilSettled(service)
    expect(await urlOf(site, id)).to.equal(`https://${site.name}/about`)
    const own = ok(await api.get(`/workspaces/${workspaceId}/site`))
    expect(own.main_domain_id).to.equal(null)
  })

  it('are never without one: the first name can go when there is another, and comes back with the last', async () => {
    const site = await newSite()
    const { api, workspaceId } = site.tenant
    const domains = async () =>
      ok(await api.get(`/workspaces/${workspaceId}/domains`)) as unknown as { id: number; name: string }[]
    const first = (await domains()).find(({ name }) => name === site.host)!
    ok(await api.delete(`/domains/${first.id}`))
    expect((await domains()).map(({ name }) => name)).to.deep.equal([site.name])
    ok(await api.delete(`/domains/${site.domainId}`))
    await waitUntilSettled(service)
    const [again] = await domains()
    expect(again).to.include({ name: site.host, connected: true })
    expect((await api.delete(`/domains/${again!.id}`)).status).to.equal(422)
  })

  it('all run live funnels without a domain of their own, each from step to step', async () => {
    const site = await newSite()
    const funnel = await site.funnel('Sale')
    await site.step(funnel.id, '/first', { markup: OPT_IN })
    await site.step(funnel.id, '/second', { markup: saying('Second') })
    ok(await site.tenant.api.put(`/funnels/${funnel.id}`, { funnel: { live_mode: true } }))
    const [call, submit] = [callOf(service), submitOf(service)]
    const port = new URL(service.publicUrl).port
    for (const [host, origin] of [
      [site.name, `https://${site.name}`],
      [site.host, `http://${site.host}`],
    ] as const) {
      const path = `${funnel.current_path}/first`
      const page = pageAt(0, (await site.at(path, host)).text, origin + path)
      const begun = await beginning(page)
      expect([host, port !== '', begun.ok, begun.mode]).to.deep.equal([host, true, true, 'live'])
      const { session } = (await call('/visits', page, visit())).body
      const { nonce } = (await call('/nonce', page, { session })).body
      const { location } = await submit(page, { nonce, session }, [['email', `ann${sites}@x.test`]])
      const next = (await fetch(service.sdkUrl + new URL(location!).pathname)).headers.get('refresh')!
      expect(next).to.include(`0; url=${origin}${funnel.current_path}/second#`)
    }
    const elsewhere = await beginning({
      ...pageAt(
        0,
        (await site.at(`${funnel.current_path}/first`)).text,
        `https://evil.example${funnel.current_path}/first`,
      ),
    })
    expect([elsewhere.ok, elsewhere.error.code]).to.deep.equal([false, 'url_mismatch'])
  })

  it('cannot be given to a funnel before they are connected', async () => {
    const site = await newSite()
    const { api, workspaceId } = site.tenant
    const pending = ok(await api.post(`/workspaces/${workspaceId}/domains`, { domain: { name: `q${sites}.example` } }))
    const funnel = await site.funnel('Sale')
    await site.step(funnel.id, '/first', { markup: saying('First') })
    const changed = await api.put(`/funnels/${funnel.id}`, { funnel: { domain_id: pending.id } })
    const made = await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: 'B', domain_id: pending.id } })
    for (const { status, body } of [changed, made]) {
      expect(status).to.equal(422)
      expect(body.details[0]).to.include({ field: 'funnel.domain_id', code: 'not_connected' })
    }
    expect((await site.at(`${funnel.current_path}/first`)).status).to.equal(200)
    ok(await api.put(`/funnels/${funnel.id}`, { funnel: { domain_id: site.domainId } }))
    expect((await site.at(`${funnel.current_path}/first`, site.host)).status).to.equal(404)
  })

  it('lead members who ask at any of them to one that everybody can reach', async () => {
    const site = await newSite()
    const contact = { email_address: `member${sites}@x.test` }
    ok(await site.tenant.api.post(`/workspaces/${site.tenant.workspaceId}/contacts`, { contact }))
    await service.caughtUp()
    const browser = memberBrowser(service, site.host)
    await browser.get('/members/sign-in')
    await browser.post('/members/sign-in', { address: contact.email_address })
    // The answer is given before anybody is looked for.
    const mails = () => keptMails(service, site.tenant, 'sign_in')
    await eventually(async () => expect(await mails()).to.have.length(1))
    const [mail] = await mails()
    expect(mail?.text).to.include(`https://${site.name}/members/in/`).and.not.to.include('.localhost')
  })
})
