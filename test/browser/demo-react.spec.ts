import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { type ApiClient, apiClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { hostMillrace, type Spawned } from '../support/millrace.ts'
import { findings } from './support/axe.ts'
import { DECLINED, GOOD } from './support/buyer.ts'
import { type Example, startExample } from './support/example.ts'

describe('the funnel of examples/funnel-react, a single-page app in StrictMode', function () {
  this.timeout(90_000)
  let data: string
  let service: Spawned
  let api: ApiClient
  let workspace: string
  let example: Example
  let browser: Browser
  let page: Page
  let asked: string[]
  let said: string[]

  before(async function () {
    if (WHY_NOT) this.skip()
    data = await mkdtemp(path.join(tmpdir(), 'millrace-react-'))
    service = await hostMillrace(data)
    api = apiClient(service.ready.origin, service.ready.api_key!)
    workspace = `/workspaces/${service.ready.workspace_id}`
    example = await startExample(service.ready, 'funnel-react')
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    await example?.stop()
    await service?.stop()
    if (data) await rm(data, { recursive: true, force: true })
  })

  /** Opens a new browser profile, in which calls of the SDK and errors are noted. */
  const newVisitor = async () => {
    page = await (await browser.newContext()).newPage()
    const calls: string[] = []
    const errors: string[] = []
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin === new URL(service.ready.sdk).origin) calls.push(pathname)
    })
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => /error|warning/.test(message.type()) && errors.push(message.text()))
    asked = calls
    said = errors
  }
  const callsOf = (name: string) => asked.filter((called) => called === name).length
  const labelled = (name: string) => page.getByLabel(name)
  const total = (text: string) =>
    eventually(async () => expect(await page.locator('#total').innerText()).to.equal(`Total: ${text}`))
  const pay = async (card: string) => {
    await labelled('Card number').fill(card)
    await labelled('Expiration').fill('12 / 34')
    await labelled('Security code').fill('123')
    await page.getByRole('button', { name: 'Pay' }).click()
  }
  interface Step {
    readonly views_all: number
    readonly optins: number
    readonly sales_value: string
  }
  const steps = async (): Promise<readonly Step[]> => {
    const { body } = await api.get(`/funnels/${example.funnelId}/stats?live_mode=false&expand[]=steps`)
    return body.steps
  }

  it('has no errors of types, written against sdk/index.d.ts', async () => {
    const bin = createRequire(import.meta.url).resolve('typescript/package.json')
    const compiler = path.join(path.dirname(bin), 'bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', 'examples/funnel-react'])
  })

  it('13a 3, 13a 41: signs up, buys with a bump and a code after a declined card, takes the offer', async () => {
    await newVisitor()
    await page.goto(`${example.url}/?utm_source=letter`)
    await labelled('First name').fill('Cy')
    await labelled('E-mail').fill('cy@example.com')
    expect(await page.getByText('Cy, get our letter').isVisible(), 'the inputs are those of React').to.equal(true)
    expect(await findings(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL(/\/checkout/)
    // The value that was filled in is React's as well: it survives what is rendered from then on.
    await page.getByText('The receipt goes to cy@example.com.').waitFor()
    await labelled('Add the brewing guide').check()
    await page.getByLabel('Code', { exact: true }).fill('WELCOME10')
    await labelled('Last name').fill('Moe')
    await total('$22.50')
    expect(await labelled('E-mail').inputValue()).to.equal('cy@example.com')
    expect(await page.locator('[data-cf-element="payment-method"] input').count(), 'one card').to.equal(3)
    expect(await findings(page)).to.deep.equal([])

    await pay(DECLINED)
    await eventually(async () => expect(await page.locator('#error').innerText()).to.match(/declined/i))
    expect(await labelled('E-mail').inputValue()).to.equal('cy@example.com')
    await pay(GOOD)
    await page.waitForURL(/\/offer/)
    await page.getByRole('button', { name: 'Yes, add it' }).click()
    await page.waitForURL(/\/thanks/)
    await eventually(async () => expect(page.url(), 'the ticket is gone').not.to.include('cf_ticket'))

    const [submission, ...more] = (await api.get(`${workspace}/form_submissions`)).body
    expect(submission.data).to.deep.equal({ 'first-name': 'Cy', email: 'cy@example.com', brews_with: 'filter' })
    expect(more).to.deep.equal([])
    const orders = (await api.get(`${workspace}/orders`)).body as readonly { readonly total_amount: string }[]
    expect(orders.map(({ total_amount }) => total_amount)).to.deep.equal(['22.50', '12.00'])
    await eventually(async () => {
      const found = await steps()
      expect(found.map(({ views_all }) => views_all)).to.deep.equal([1, 1, 1, 1])
      expect(found.map(({ optins }) => optins)).to.deep.equal([1, 0, 0, 0])
      expect(found.map(({ sales_value }) => sales_value)).to.deep.equal(['0.00', '22.50', '12.00', '0.00'])
    })
    expect([callsOf('/init'), callsOf('/submit')]).to.deep.equal([4, 1])
    expect(said).to.deep.equal([])
  })

  it('13b 44: begins anew at each change of the route, and at no other; what is in the cart belongs to its step', async () => {
    await newVisitor()
    const before = (await steps()).map(({ views_all }) => views_all)
    await page.goto(`${example.url}/`)
    await eventually(async () => expect(callsOf('/visits')).to.equal(1))
    for (const change of ['pushState(1, "", "?a=b")', 'replaceState(1, "", "#c")'])
      await page.evaluate(`history.${change}`)
    await page.evaluate(
      `(() => { const meta = document.querySelector('meta[name=cf-page-token]'); meta.content += '' })()`,
    )
    await page.getByRole('button', { name: 'Straight to the mug' }).click()
    // What the components ask as they mount is answered for their step, not for the one that has just gone.
    await total('$18.00')
    await labelled('Card number').waitFor()
    await labelled('Add the brewing guide').check()
    await total('$25.00')
    await page.getByRole('button', { name: 'First the letter' }).click()
    await labelled('First name').fill('Di')
    await eventually(async () => expect(callsOf('/visits')).to.equal(3))
    await page.goBack()
    await total('$18.00')
    await labelled('First name').fill('Di')
    await labelled('Last name').fill('Poe')
    await labelled('E-mail').fill('di@example.com')
    await pay(GOOD)
    await page.waitForURL(/\/offer/)
    await page.getByRole('button', { name: 'No, thanks' }).click()
    await page.waitForURL(/\/thanks/)
    await eventually(async () => {
      const now = (await steps()).map(({ views_all }, index) => views_all - (before[index] ?? 0))
      expect(now).to.deep.equal([2, 2, 1, 1])
    })
    expect(said).to.deep.equal([])
  })

  it('is there without the SDK, whose host hangs', async () => {
    await newVisitor()
    await page.route(`${service.ready.sdk}/**`, () => undefined)
    await page.goto(`${example.url}/checkout`, { waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Enamel mug' }).waitFor({ timeout: 5000 })
    await labelled('Add the brewing guide').check()
    expect(said).to.deep.equal([])
  })
})
