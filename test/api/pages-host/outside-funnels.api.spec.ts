import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { BEHIND_A_PROXY, publicSite } from '../../support/public-names.ts'
import { callOf, random, type SdkPage, standalonePage, submitOf, visit } from '../../support/sdk-pages.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { saying } from './support.ts'

const FORM = saying('Hello', '<input type="email"/><button>Send</button>')

describe('a page outside of funnels', () => {
  let service: TestService
  let site: Awaited<ReturnType<typeof publicSite>>
  let template: { readonly id: number; readonly public_id: string }
  before(async () => {
    service = await startTestService(BEHIND_A_PROXY)
    site = await publicSite(service, 'shop.example.com')
    const { api, workspaceId } = site.tenant
    const home = await site.standalone('/home', { markup: FORM })
    ok(await api.put(`/workspaces/${workspaceId}/site`, { site: { homepage_id: home.public_id } }))
    await site.standalone('/landing', { markup: FORM })
    template = await site.standalone('/template', { markup: FORM })
    const slots = ['blog_template_page', 'blogs_post_template_page', 'not_found_template_page']
    const template_pages = Object.fromEntries(slots.map((slot) => [slot, template.public_id]))
    const [theme] = createdBody(await api.get(`/workspaces/${workspaceId}/themes`))
    ok(await api.put(`/themes/${theme.id}`, { theme: { template_pages } }))
    const [blog] = createdBody(await api.get(`/workspaces/${workspaceId}/blogs`))
    ok(await api.post(`/blogs/${blog.id}/posts`, { blogs_post: { title: 'Fire', visibility: 'public' } }))
  })

  const at = async (path: string, host = site.name, scheme = 'https'): Promise<SdkPage> => {
    const { text } = await site.at(path, host)
    const [, token = ''] = /name="cf-page-token" content="(\w+)"/.exec(text) ?? []
    expect(token, path).to.not.equal('')
    return { id: 0, token, url: `${scheme}://${host}${path}`, origin: `${scheme}://${host}` }
  }
  const beginning = async ({ token, url, origin }: SdkPage) => {
    const asked = `${service.sdkUrl}/init?sdk_page_token=${token}&url=${encodeURIComponent(url)}`
    return JSON.parse(await (await fetch(asked, { headers: { origin } })).text())
  }
  /** Sends the form of a page. @returns the page to which the browser comes, and the submission */
  const sent = async (page: SdkPage) => {
    const email_address = `${random().toLowerCase()}@x.test`
    const call = callOf(service)
    const { session } = (await call('/visits', page, visit())).body
    const { nonce } = (await call('/nonce', page, { session })).body
    const answer = await submitOf(service)(page, { nonce, session }, [['email', email_address]])
    expect([page.url, answer.status]).to.deep.equal([page.url, 302])
    const next = await fetch(service.sdkUrl + new URL(answer.location!).pathname)
    await service.caughtUp()
    const own = `/workspaces/${site.tenant.workspaceId}`
    const contacts = ok(await site.tenant.api.get(`${own}/contacts?filter[email_address]=${email_address}`))
    const submissions = ok(await site.tenant.api.get(`${own}/form_submissions?sort_order=desc`))
    const [contact] = contacts as unknown as { id: number }[]
    const [submission] = submissions as unknown as { contact_id: number; page_id: number; data: object }[]
    expect([submission!.contact_id, submission!.data]).to.deep.equal([contact!.id, { email: email_address }])
    return { html: await next.text(), refresh: next.headers.get('refresh'), submission: submission! }
  }

  for (const path of ['/', '/landing', '/blog', '/blog/fire', '/not/there'])
    it(`is live at ${path}: visits are counted, and its form makes a contact and a submission, and thanks`, async () => {
      for (const [host, scheme] of [
        [site.name, 'https'],
        [site.host, 'http'],
      ] as const) {
        const page = await at(path, host, scheme)
        const { ok: begins, mode, in_funnel } = await beginning(page)
        expect([host, begins, mode, in_funnel]).to.deep.equal([host, true, 'live', false])
        const { html, refresh } = await sent(page)
        expect(refresh).to.equal(null)
        expect(html).to.include('<h1>Thank you</h1>').and.include(`href="${page.url}#cf_ticket=`)
      }
    })

  it('goes on to the page that it names, at the name that the visitor came by', async () => {
    const [from, to] = [await site.standalone('/from', { markup: FORM }), await site.standalone('/to')]
    const set = (opt_in: object) => site.tenant.api.put(`/pages/${from.id}/opt_in`, { opt_in })
    expect(ok(await set({ next_page_id: to.id }))).to.deep.equal({ double: false, next_page_id: to.id })
    expect((await sent(await at('/from'))).refresh).to.include(`0; url=https://${site.name}/to#`)
    expect((await sent(await at('/from', site.host, 'http'))).refresh).to.include(`0; url=http://${site.host}/to#`)
    expect(ok(await set({ double: true }))).to.deep.equal({ double: true, next_page_id: to.id })
    expect((await set({ next_page_id: 2_000_000_000 })).status).to.equal(422)
    ok(await site.tenant.api.delete(`/pages/${to.id}`))
    await service.caughtUp()
    const shown = ok(await site.tenant.api.get(`/pages/${from.id}/opt_in`))
    expect(shown).to.deep.equal({ double: true, next_page_id: null })
    const { html } = await sent(await at('/from'))
    expect(html).to.include('<h1>Thank you</h1>').and.include('confirm your address')
  })

  it('shows nothing of it to a page that others host: its form is taken once it is a step', async () => {
    const page = await standalonePage(site.tenant, 'https://mine.example/a')
    expect((await beginning(page)).mode).to.equal('live')
    const { status, body } = await callOf(service)('/nonce', page)
    expect([status, body.error.code]).to.deep.equal([422, 'page_not_in_funnel'])
    const refused = await site.tenant.api.put(`/pages/${page.id}/opt_in`, { opt_in: { next_page_id: template.id } })
    expect([refused.status, refused.body.details[0].field]).to.deep.equal([422, 'opt_in.next_page_id'])
  })

  it('is a preview at an address where it is not served, and saves nothing', async () => {
    const page = await at('/landing')
    for (const origin of ['https://evil.example', `http://${site.name}`]) {
      const elsewhere = { ...page, origin, url: `${origin}/landing` }
      expect([origin, (await beginning(elsewhere)).mode]).to.deep.equal([origin, 'preview'])
      expect((await callOf(service)('/visits', elsewhere, visit())).body).to.deep.equal({ ok: true })
    }
    expect((await beginning({ ...page, url: `${page.origin}/other` })).mode).to.equal('preview')
    expect((await beginning({ ...page, url: `${page.origin}/%6Canding` })).mode).to.equal('live')
  })
})
