import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'

const FORM = `<form><label>Email <input type="email" data-cf-element="email"></label>
<label>Name <input data-cf-element="first-name"></label><button>Join</button></form>`

describe(`opt-in over two domains, in Chromium and with the service${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let tenant: Tenant
  let browser: Browser
  let pages: Server
  let port = 0
  const tokens = new Map<string, string>()

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    tenant = await service.tenant()
    pages = createServer((request, response) => {
      const token = tokens.get(`${request.headers.host}${request.url?.split('?')[0]}`)
      const sdk = service.sdkUrl
      response.setHeader('Content-Type', 'text/html')
      response.setHeader(
        'Content-Security-Policy',
        `default-src 'none'; script-src ${sdk}; connect-src ${sdk}; form-action ${sdk}`,
      )
      response.end(
        `<!doctype html><html lang="en"><head><title>Step</title><meta name="cf-page-token" content="${token}"><script defer src="${sdk}/sdk.js"></script></head><body>${FORM}</body></html>`,
      )
    }).listen(0, '127.0.0.1')
    await once(pages, 'listening')
    port = (pages.address() as AddressInfo).port
    const root = `/workspaces/${tenant.workspaceId}`
    const { body: funnel } = await tenant.api.post(`${root}/funnels`, { funnel: { name: 'Mugs' } })
    for (const host of [`shop.test:${port}`, `other.test:${port}`]) {
      const page = { external_url: `http://${host}/`, funnel: { funnel_id: funnel.id } }
      tokens.set(`${host}/`, (await tenant.api.post(`${root}/pages/external`, { page })).body.sdk.token)
    }
    await tenant.api.put(`/funnels/${funnel.id}`, { funnel: { live_mode: true } })
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    pages?.closeAllConnections()
    pages?.close()
  })

  for (const consent of ['granted', 'denied']) {
    it(`leads on, and fills in what was typed, with consent ${consent}`, async () => {
      const page = await browser.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.addInitScript(
        `addEventListener('DOMContentLoaded', () => document.head.insertAdjacentHTML('beforeend', '<meta name="cf-consent" content="${consent}">'))`,
      )
      const email = `${consent}@example.test`
      await page.goto(`http://shop.test:${port}/?utm_source=news`)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Name').fill('Ana')
      await page.getByRole('button', { name: 'Join' }).click()
      await page.waitForURL(`http://other.test:${port}/**`)
      await until(async () => (await page.getByLabel('Email').inputValue()) === email, 'the address is filled in')
      expect(await page.getByLabel('Name').inputValue()).to.equal('Ana')
      expect(page.url()).to.equal(`http://other.test:${port}/`)
      const { body } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=${email}`)
      expect(
        body.map(({ email_address, first_name }: Record<string, unknown>) => [email_address, first_name]),
      ).to.deep.equal([[email, 'Ana']])
      expect((await page.context().cookies()).length > 0).to.equal(consent === 'granted')
      expect(errors).to.deep.equal([])
    })
  }

  const [shop, other] = [
    (rest = '') => `http://shop.test:${port}/${rest}`,
    (rest = '') => `http://other.test:${port}/${rest}`,
  ]
  const optsIn = async (page: Page, email: string, name: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL(other('**'))
  }
  const filledIn = async (page: Page) => [
    await page.getByLabel('Email').inputValue(),
    await page.getByLabel('Name').inputValue(),
  ]
  const secretsOf = async (page: Page) =>
    new Map((await page.context().cookies()).map(({ domain, value }) => [domain, value.slice(22)]))
  /** Waits until a page has counted its view. */
  const counted = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/visits'))

  it('13b 37: an address with a ticket, loaded again or given to a friend, begins afresh without an error', async () => {
    const mine = await browser.newPage()
    const errors: string[] = []
    mine.on('pageerror', (error) => errors.push(String(error)))
    let link = ''
    mine.on('response', (response) => {
      link = response.headers().refresh?.split('url=')[1] ?? link
    })
    await mine.goto(shop())
    await optsIn(mine, 'link@example.test', 'Ana')
    await until(async () => (await filledIn(mine))[1] === 'Ana')
    expect(link).to.include('#cf_ticket=')
    const secret = (await secretsOf(mine)).get('other.test')
    const friend = await browser.newPage()
    friend.on('pageerror', (error) => errors.push(String(error)))
    await Promise.all([counted(friend), friend.goto(link)])
    expect(friend.url()).to.equal(other())
    await until(async () => (await secretsOf(friend)).get('other.test'), 'the friend has a session')
    expect((await secretsOf(friend)).get('other.test')).not.to.equal(secret)
    expect(await filledIn(friend)).to.deep.equal(['', ''])
    await mine.goto('about:blank')
    await Promise.all([counted(mine), mine.goto(link)])
    expect(mine.url()).to.equal(other())
    await until(async () => (await filledIn(mine))[1] === 'Ana')
    expect(errors).to.deep.equal([])
  })

  it('13b 38: whoever types another address at the same computer goes on without anything of the first', async () => {
    const page = await browser.newPage()
    await page.goto(shop())
    await optsIn(page, 'ann@shared.test', 'Ann')
    await until(async () => (await filledIn(page))[0] === 'ann@shared.test')
    const first = await secretsOf(page)
    await page.goto(shop())
    await until(async () => (await filledIn(page))[0] === 'ann@shared.test')
    await optsIn(page, 'bea@shared.test', '')
    await until(async () => (await filledIn(page))[0] === 'bea@shared.test')
    expect(await filledIn(page)).to.deep.equal(['bea@shared.test', ''])
    expect((await secretsOf(page)).get('other.test')).not.to.equal(first.get('other.test'))
  })

  it("13b 39: neither an own step nor the SDK's host on the way begins a session or loses where the visitor came from", async () => {
    const page = await browser.newPage()
    const reported: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/visits')) reported.push(request.postDataJSON().visit.referrer)
    })
    await Promise.all([counted(page), page.goto(shop('?utm_source=paper&utm_campaign=may'))])
    await Promise.all([counted(page), optsIn(page, 'source@example.test', 'Ana')])
    // By a link as well, whose referrer is the step before.
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<a href="${shop()}">Back</a>')`)
    await Promise.all([counted(page), page.click('a')])
    expect(reported).to.deep.equal(['', '', other()])
    const { body } = await tenant.api.get(
      `/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=source@example.test`,
    )
    expect(body).to.have.length(1)
    const { first_visit, last_visit, last_visit_with_utm } = body[0].visits
    expect(first_visit).to.include({ utm_source: 'paper', utm_campaign: 'may', landing_page: shop() })
    expect(first_visit).to.include({ referring_domain: null, referrer: null })
    expect([last_visit.uuid, last_visit_with_utm.uuid]).to.deep.equal([first_visit.uuid, first_visit.uuid])
  })
})
