import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type ApiClient, apiClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { hostMillrace, type Spawned } from '../support/millrace.ts'
import { DECLINED, GOOD } from './support/buyer.ts'
import type { Engine, Started } from './support/engines.ts'
import { startExample } from './support/example.ts'
import { FIREFOX_ESR } from './support/firefox.ts'
import { handIn } from './support/hand.ts'
import { WEBKIT_GTK } from './support/webkit.ts'

interface Order {
  readonly total_amount: string
  readonly contact: { readonly email_address: string }
}

interface Page {
  readonly id: number
  readonly sdk: { readonly external_url: string } | null
}

const walk = (engine: Engine): void => {
  const { name, whyNot } = engine
  describe(`SDK in ${name}, without cookies of others${whyNot ? ` (skipped: ${whyNot})` : ''}`, function () {
    this.timeout(120_000)
    let data: string
    let service: Spawned
    let api: ApiClient
    let workspace: string
    let started: Started | undefined

    before(async function () {
      if (whyNot) this.skip()
      data = await mkdtemp(path.join(tmpdir(), 'millrace-engine-'))
      service = await hostMillrace(data, { MILLRACE_DEMO: '1', MILLRACE_PUBLIC_PORT: String(await freePort()) })
      api = apiClient(service.ready.origin, service.ready.api_key!)
      workspace = `/workspaces/${service.ready.workspace_id}`
      await eventually(async () => {
        const [funnel] = (await api.get(`${workspace}/funnels`)).body
        expect((await api.get(`/funnels/${funnel?.id}/checkout`)).body.enabled).to.equal(true)
      })
    })
    afterEach(async () => {
      await started?.close()
      started = undefined
    })
    after(async () => {
      await service?.stop()
      if (data) await rm(data, { recursive: true, force: true })
    })

    const newVisitor = async () => {
      started = await engine.start()
      return handIn(started)
    }
    type Visitor = Awaited<ReturnType<typeof newVisitor>>
    const pay = async ({ type, pressAt }: Visitor, card: string) => {
      await type('Card number', card)
      await type('Expiration', '12 / 34')
      await type('Security code', '123')
      await pressAt('[data-cf-element="pay"]')
    }
    const sold = async (email: string) => {
      const orders: readonly Order[] = (await api.get(`${workspace}/orders`)).body
      return orders.filter(({ contact }) => contact.email_address === email).map(({ total_amount }) => total_amount)
    }

    it('13b 6, hosted here: signs up, buys with a bump and a code after a declined card, takes the offer', async () => {
      const visitor = await newVisitor()
      const { go, run, type, press, check, choose, says, at, value } = visitor
      await go(service.ready.pages)
      await type('First name', 'Ann')
      await type('E-mail', 'ann@example.com')
      await press('Send me the letter')
      await at(/\/mug\/checkout/)
      await check('Brew it better')
      await type('Discount code', 'WELCOME10')
      await press('Apply')
      await eventually(async () => expect(await value('E-mail')).to.equal('ann@example.com'))
      await type('Last name', 'Lee')
      await choose('Country', 'US')
      await type('Full name', 'Ann Lee')
      await type('Address', '1 Main St')
      await type('City', 'Austin')
      await choose('State', 'TX')
      await type('ZIP', '73301')
      await says('[data-mr-summary]', /27\.40/)
      await pay(visitor, DECLINED)
      await says('[role=alert]', /declined/i)
      await pay(visitor, GOOD)
      await at(/\/mug\/offer/)
      await press('Yes, add it')
      await at(/\/mug\/thanks/)
      // A browser that drops what is `Secure` on plain http, as Safari does, would have none.
      expect(await run('document.cookie')).to.match(/\bcf_\w+=[\w-]{22}/)
      expect(await sold('ann@example.com')).to.deep.equal(['27.40', '16.90'])
    })

    const buyElsewhere = async (visitor: Visitor, email: string) => {
      const { type, press, check, says, at, value } = visitor
      await type('First name', 'Bea')
      await type('E-mail', email)
      await press('Sign up')
      await at(/\/checkout/)
      await check('Add the brewing guide')
      await type('Code', 'WELCOME10')
      await type('Last name', 'Ray')
      await says('#total', /\$22\.50/)
      await eventually(async () => expect(await value('E-mail')).to.equal(email))
      await pay(visitor, DECLINED)
      await says('#error', /declined/i)
      await pay(visitor, GOOD)
      await at(/\/offer/)
    }

    it('hosted elsewhere, with the offer on a third host: buys after a declined card, takes the offer', async () => {
      const example = await startExample(service.ready)
      try {
        const pages: readonly Page[] = (await api.get(`${workspace}/pages`)).body
        const offer = pages.find(({ sdk }) => sdk?.external_url === `${example.url}/offer.html`)
        const external_url = `${example.url.replace('localhost', 'pay.localhost')}/offer.html`
        expect((await api.call('PATCH', `/pages/${offer?.id}`, { page: { external_url } })).status).to.equal(200)
        const visitor = await newVisitor()
        const { go, press, at, run } = visitor
        await go(`${example.url}/?utm_source=letter`)
        await buyElsewhere(visitor, 'bea@example.com')
        await at(/^http:\/\/pay\.localhost/)
        await press('Yes, add it')
        await at(/^http:\/\/localhost.*thanks\.html/)
        await eventually(async () => expect(await run('location.hash')).to.equal(''))
        expect(await sold('bea@example.com')).to.deep.equal(['22.50', '12.00'])
      } finally {
        await example.stop()
      }
    })

    it('a single-page app of React: buys after a declined card, declines the offer', async () => {
      const example = await startExample(service.ready, 'funnel-react')
      try {
        const visitor = await newVisitor()
        await visitor.go(example.url)
        await buyElsewhere(visitor, 'cy@example.com')
        await visitor.press('No, thanks')
        await visitor.at(/\/thanks/)
        expect(await sold('cy@example.com')).to.deep.equal(['22.50'])
      } finally {
        await example.stop()
      }
    })
  })
}

for (const engine of [FIREFOX_ESR, WEBKIT_GTK]) walk(engine)
