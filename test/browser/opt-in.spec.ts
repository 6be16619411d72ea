import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { type Browser, chromium } from 'playwright-core'
import { WHY_NOT } from '../support/chromium.ts'
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
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--host-resolver-rules=MAP *.test 127.0.0.1'],
    })
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
})
