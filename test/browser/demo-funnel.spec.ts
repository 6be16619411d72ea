import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { type ApiClient, apiClient } from '../support/client.ts'
import { commandsIn, hasPrinted } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { askHost } from '../support/hosts.ts'
import { findings } from './support/axe.ts'
import { DECLINED, GOOD } from './support/buyer.ts'
import { type DemoService, INSTALLATIONS, type Installation } from './support/demo-service.ts'
import { startExample } from './support/example.ts'

const README = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8')
/** What the tour of the README asks after its walk through the funnel, which is Ann's below. */
const asked = commandsIn(README).find(({ command }) => command.includes(' stats '))

interface Order {
  readonly live_mode: boolean
  readonly total_amount: string
  readonly billing_status: string
  readonly contact: { readonly email_address: string }
}

interface Submission {
  readonly data: object
}

interface Step {
  readonly name: string
  readonly views_all: number
  readonly optins: number
  readonly sales_count: number
  readonly sales_value: string
}

/** What of an order is settled when its buyer sees the next page. */
const soldIn = ({ live_mode, total_amount, billing_status }: Order) => ({ live_mode, total_amount, billing_status })

const runThrough = (suite: Mocha.Suite, { missing, start }: Installation): void => {
  suite.timeout(240_000)
  if (missing) {
    it.skip(missing)
    return
  }
  let service: DemoService
  let api: ApiClient
  /** A client of each process that answers. */
  let each: readonly ApiClient[]
  let browser: Browser
  let page: Page
  const errors: string[] = []
  let workspace: string

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await start()
    const clientOf = ({ origin }: { readonly origin: string }) => apiClient(origin, service.ready.api_key!)
    api = clientOf(service.ready)
    each = service.processes.map(clientOf)
    workspace = `/workspaces/${service.ready.workspace_id}`
    await eventually(async () => {
      const [funnel] = (await api.get(`${workspace}/funnels`)).body
      expect((await api.get(`/funnels/${funnel?.id}/checkout`)).body.enabled).to.equal(true)
    })
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Opens a page in a new browser profile. */
  const visit = async (url: string): Promise<void> => {
    page = await (await browser.newContext()).newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(url)
  }
  const pay = async (card: string) => {
    await page.getByLabel('Card number').fill(card)
    await page.getByLabel('Expiration').fill('12 / 34')
    await page.getByLabel('Security code').fill('123')
    await page.locator('[data-cf-element="pay"]').click()
  }
  /** Reads a list from each process. They all answer the same as soon as nothing more happens: the last page may still be noted in its visit. */
  const agreed = async <T>(path: string, listIn = (body: unknown) => body as readonly T[]): Promise<readonly T[]> => {
    let agreedOn: readonly T[] = []
    await eventually(async () => {
      const [first = [], ...others] = await Promise.all(each.map(async (one) => listIn((await one.get(path)).body)))
      for (const other of others) expect(other).to.deep.equal(first)
      agreedOn = first
    })
    return agreedOn
  }
  /** Reads the orders of a buyer. Each process has them at once, as they were bought. */
  const sell = async (email: string): Promise<readonly Order[]> => {
    const path = `${workspace}/orders`
    const of = (orders: readonly Order[]) => orders.filter(({ contact }) => contact.email_address === email)
    const bought = await Promise.all(each.map(async (one) => of((await one.get(path)).body).map(soldIn)))
    const orders = of(await agreed<Order>(path))
    for (const seen of bought) expect(seen).to.deep.equal(orders.map(soldIn))
    return orders
  }
  const stepsOf = (funnelId: number, isLive = false): Promise<readonly Step[]> =>
    agreed(
      `/funnels/${funnelId}/stats?live_mode=${isLive}&expand[]=steps`,
      (body) => (body as { readonly steps: readonly Step[] }).steps,
    )

  it('hosted here: signs up, buys with a bump and a code after a declined card, takes the offer', async () => {
    await visit(service.ready.pages)
    expect(await findings(page)).to.deep.equal([])
    await page.getByLabel('First name').fill('Ann')
    await page.getByLabel('E-mail').fill('ann@example.com')
    await page.getByRole('button', { name: 'Send me the letter' }).click()
    await page.waitForURL(/\/mug\/checkout/)

    await page.getByLabel('Brew it better').check()
    await page.getByLabel('Discount code').fill('WELCOME10')
    await page.getByRole('button', { name: 'Apply' }).click()
    await eventually(async () => expect(await page.getByLabel('E-mail').inputValue()).to.equal('ann@example.com'))
    await page.getByLabel('Last name').fill('Lee')
    const address = page.getByRole('group', { name: 'Shipping address' })
    await address.getByLabel('Country').selectOption('US')
    await address.getByLabel('Full name').fill('Ann Lee')
    await address.getByLabel('Address', { exact: true }).fill('1 Main St')
    await address.getByLabel('City').fill('Austin')
    await address.getByLabel('State').selectOption('TX')
    await address.getByLabel('ZIP').fill('73301')
    // 18.00 and 7.00, less a tenth, and 4.90 for the parcel.
    const summary = page.locator('[data-mr-summary]')
    await eventually(async () => expect(await summary.innerText()).to.include('27.40'))
    expect(await findings(page)).to.deep.equal([])

    await pay(DECLINED)
    await eventually(async () => expect(await page.getByRole('alert').first().innerText()).to.match(/declined/i))
    await pay(GOOD)
    await page.waitForURL(/\/mug\/offer/)
    expect(await findings(page)).to.deep.equal([])
    await eventually(async () => expect(await page.getByText('in all').innerText()).to.include('16.90 USD'))
    await page.getByRole('button', { name: 'Yes, add it' }).click()
    await page.waitForURL(/\/mug\/thanks/)

    const orders = await sell('ann@example.com')
    expect(orders.map(({ billing_status }) => billing_status)).to.deep.equal(['paid', 'paid'])
    expect(orders.map(({ live_mode }) => live_mode)).to.deep.equal([false, false])
    expect(orders.map(({ total_amount }) => total_amount)).to.have.members(['27.40', '16.90'])
    const [funnel] = (await api.get(`${workspace}/funnels`)).body
    await eventually(async () => {
      const steps = await stepsOf(funnel.id)
      expect(steps.map(({ views_all }) => views_all)).to.deep.equal([1, 1, 1, 1])
      expect(steps.map(({ optins }) => optins)).to.deep.equal([1, 0, 0, 0])
      expect(steps.map(({ sales_count }) => sales_count)).to.deep.equal([0, 1, 1, 0])
    })
    const [submission] = await agreed<Submission>(`${workspace}/form_submissions`)
    expect(submission?.data).to.deep.equal({ 'first-name': 'Ann', email: 'ann@example.com' })
    expect(errors).to.deep.equal([])
  })

  it('13b 62: counts the purchase of a newcomer in test mode, and there alone, also on the command line', async () => {
    const [funnel] = (await api.get(`${workspace}/funnels`)).body
    for (const { views_all, sales_count } of await stepsOf(funnel.id, true))
      expect([views_all, sales_count]).to.deep.equal([0, 0])
    const table = ['stats', 'funnel', String(funnel.id)]
    for (const [args, mode, sales] of [
      [[...table, '--test'], 'test', 2],
      [table, 'live', 0],
    ] as const) {
      const { code, out } = await service.run(args)
      expect(code).to.equal(0)
      expect(out)
        .to.match(new RegExp(`^The mug, ${mode} mode`))
        .and.match(new RegExp(`\\nNumber of upfront sales +${sales}\\n`))
    }
    const shown = await service.run(asked!.command.split(' ').slice(2))
    expect(hasPrinted(asked!.prints, shown.out), shown.out).to.equal(true)
  })

  it('hosted elsewhere, as in examples/funnel-html, under a strict policy: signs up, buys, declines the offer', async () => {
    const example = await startExample(service.ready)
    try {
      await visit(`${example.url}/?utm_source=letter`)
      await page.getByLabel('First name').fill('Bea')
      await page.getByLabel('E-mail').fill('bea@example.com')
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.waitForURL(/checkout\.html/)
      await page.getByLabel('Add the brewing guide').check()
      await page.getByLabel('Last name').fill('Ray')
      await eventually(async () => expect(await page.locator('#total').innerText()).to.equal('Total: $25.00'))
      await eventually(async () => expect(await page.getByLabel('E-mail').inputValue()).to.equal('bea@example.com'))
      await pay(GOOD)
      await page.waitForURL(/offer\.html/)
      await page.getByRole('button', { name: 'No, thanks' }).click()
      await page.waitForURL(/thanks\.html/)
      expect(page.url(), 'the ticket is gone').not.to.include('cf_ticket')
      const orders = await sell('bea@example.com')
      expect(orders.map(({ total_amount, billing_status }) => [total_amount, billing_status])).to.deep.equal([
        ['25.00', 'paid'],
      ])
      await eventually(async () => {
        const steps = await stepsOf(example.funnelId)
        expect(steps.map(({ views_all }) => views_all)).to.deep.equal([1, 1, 1, 1])
        expect(steps.map(({ sales_value }) => sales_value)).to.deep.equal(['0.00', '25.00', '0.00', '0.00'])
      })
      expect(errors).to.deep.equal([])
    } finally {
      await example.stop()
    }
  })
  it('shows a change of a hosted page at once, whichever process is asked', async () => {
    const [letter] = (await api.get(`${workspace}/pages`)).body.filter(
      ({ name }: { name: string }) => name === 'Letter',
    )
    const { host } = new URL(service.ready.pages)
    const path = new URL(letter.url).pathname
    let tag = '"none"'
    for (const number of [1, 2, 3, 4]) {
      const text = `One good cup for ${number}`
      const markup = `<section><row><column><headline>${text}</headline></column></row></section>`
      const writing = each[number % each.length]
      expect((await writing?.put(`/pages/${letter.id}`, { page: { markup } }))?.status).to.equal(200)
      for (const { pages } of service.processes) {
        const shown = await askHost(pages, host, path, { headers: { 'if-none-match': tag } })
        expect([shown.status, shown.text.includes(text)]).to.deep.equal([200, true])
      }
      tag = String((await askHost(service.ready.pages, host, path)).headers.etag)
      for (const { pages } of service.processes)
        expect((await askHost(pages, host, path, { headers: { 'if-none-match': tag } })).status).to.equal(304)
    }
  })
}

for (const installation of INSTALLATIONS)
  describe(`the funnel of the demo workspace, from the first page to the statistics, ${installation.name}`, function () {
    runThrough(this, installation)
  })
