import { createServer } from 'node:net'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { hasChromium, startChromium } from '../../support/chromium.ts'
import { startTestService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { waitUntilSettled } from '../../support/traffic/traffic.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

describe('hosted pages with the SDK', function () {
  this.timeout(60_000)
  let browser: Browser
  let site: HostedSite
  let origin: string
  before(async function () {
    if (!hasChromium) this.skip()
    browser = await startChromium()
    const port = await freePort()
    site = await hostedSite(await startTestService({ MILLRACE_PUBLIC_PORT: String(port) }))
    origin = `http://${site.host}:${port}`
  })
  after(async () => browser?.close())

  for (const byMachine of [false, true]) {
    it(`take an opt-in and lead to the next step, ${byMachine ? 'under the name of the machine' : 'at their own host'}`, async () => {
      const funnel = await site.funnel('Opt in')
      const markup = saying(
        'Join',
        '<input type="email" label="E-mail"/><input type="text" name="color" label="Color"/><button>Go</button>',
      )
      await site.step(funnel.id, '/join', { markup })
      await site.step(funnel.id, '/thanks', { markup: saying('Thank you') })
      const at = byMachine ? origin.replace(site.host, 'localhost') : origin
      const context = await browser.newContext()
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(at + funnel.current_path)
      const email = `ann-${byMachine}@example.com`
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Color').fill('red')
      await page.waitForFunction('document.forms[0].action.endsWith("/submit")')
      await page.getByRole('button', { name: 'Go' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(new URL(page.url()).origin).to.equal(at)
      expect(problems).to.deep.equal([])
      await waitUntilSettled(site.service)
      const contacts = createdBody(await site.tenant.api.get(`/workspaces/${site.tenant.workspaceId}/contacts`))
      const found = contacts.find(({ email_address }: { email_address: string }) => email_address === email)
      expect(found.custom_attributes).to.deep.equal({ color: 'red' })
      await context.close()
    })
  }
})
