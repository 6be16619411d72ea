import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { type ApiClient, apiClient, ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { hostMillrace, type Spawned } from '../support/millrace.ts'

describe(`terms of prices on a hosted checkout${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, function () {
  this.timeout(120_000)
  let data: string
  let service: Spawned
  let api: ApiClient
  let browser: Browser

  before(async function () {
    if (WHY_NOT) this.skip()
    data = await mkdtemp(path.join(tmpdir(), 'millrace-terms-'))
    service = await hostMillrace(data, { MILLRACE_DEMO: '1', MILLRACE_PUBLIC_PORT: String(await freePort()) })
    api = apiClient(service.ready.origin, service.ready.api_key!)
    await eventually(async () => {
      const [funnel] = ok(await api.get(`/workspaces/${service.ready.workspace_id}/funnels`))
      expect((await api.get(`/funnels/${funnel?.id}/checkout`)).body.enabled).to.equal(true)
    })
    browser = await startChromium()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    if (data) await rm(data, { recursive: true, force: true })
  })

  it('say in the choice and in the summary what recurs, when first and how much', async () => {
    const pages: readonly { id: number; name: string; url: string }[] = ok(
      await api.get(`/workspaces/${service.ready.workspace_id}/pages`),
    )
    const { id, url } = pages.find(({ name }) => name === 'Checkout')!
    const product = { name: 'Club', default_variant_attributes: { product_type: 'digital' } }
    const made = ok(await api.post(`/workspaces/${service.ready.workspace_id}/products`, { product }))
    const products_price = {
      ...{ amount: '19.00', payment_type: 'subscription', interval: 'months', interval_count: 1 },
      ...{ trial_interval: 'days', trial_duration: 7, trial_amount: '1.00', setup_amount: '30.00' },
    }
    ok(await api.post(`/products/variants/${made.default_variant_id}/prices`, { products_price }))
    ok(await api.put(`/pages/${id}`, { page: { show_page_step: { product_ids: [made.id] } } }))
    const page = await (await browser.newContext()).newPage()
    await eventually(async () => {
      await page.goto(url)
      const label = await page.locator('label.option', { hasText: 'Club' }).innerText({ timeout: 2000 })
      expect(label).to.include('$1.00 for 7 days, then $19.00 every month, plus $30.00 once')
    })
    await page.locator('label.option', { hasText: 'Club' }).click()
    const terms = page.locator('[data-mr-summary] .terms')
    await terms.waitFor()
    await page.locator('[data-mr-summary] dd.total', { hasText: '$31.00' }).waitFor()
    expect(await terms.innerText()).to.match(
      /^Includes \$30\.00 once\. Then \$19\.00 every month from \w+ \d+, \d{4}\.$/,
    )
  })
})
