import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { apiClient, ok } from '../../support/client.ts'
import { openStripeDouble, STRIPE_KEY, type StripeDouble } from '../../support/payments/stripe-double.ts'
import { callOf, random, type SdkPage, visit } from '../../support/sdk-pages.ts'
import { someone } from '../../support/sdk-shop.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { type ServiceProcess, startServiceProcess, suiteDirectories } from '../service-process.ts'

const KILLS = byForm(2, 50)
/** Latest moment of a kill after the buyer has paid. On a fast machine all steps are done by then. */
const LIFE_MS = 60

const ORIGIN = 'https://mugs.example'

/** A funnel with a page that sells one product, and a thank-you page. */
interface Funnel {
  readonly page: SdkPage
  readonly line: object
}

const makeFunnel = async (life: ServiceProcess): Promise<Funnel> => {
  const api = apiClient(life.url, life.ready.api_key!)
  const workspace = `/workspaces/${life.ready.workspace_id}`
  const account = { name: 'Stripe', provider: 'stripe', secret_key: STRIPE_KEY }
  const { id: gateway_account_id } = ok(
    await api.post(`${workspace}/payments/gateway_accounts`, { payments_gateway_account: account }),
  )
  const { id } = ok(await api.post(`${workspace}/funnels`, { funnel: { name: 'Mugs' } }))
  ok(await api.put(`/funnels/${id}/checkout`, { checkout: { enabled: true, gateway_account_id } }))
  const pageAt = async (path: string) => {
    const page = { external_url: `${ORIGIN}/${path}`, funnel: { funnel_id: id } }
    return ok(await api.post(`${workspace}/pages/external`, { page }))
  }
  const made = await pageAt('buy')
  await pageAt('thanks')
  const product = ok(await api.post(`${workspace}/products`, { product: { name: 'Mug' } }))
  const products_price = { amount: '12.50' }
  ok(await api.post(`/products/variants/${product.default_variant_id}/prices`, { products_price }))
  ok(await api.put(`/pages/${made.id}`, { page: { show_page_step: { product_ids: [product.id] } } }))
  const page = { id: made.id, token: made.sdk.token, url: `${ORIGIN}/buy`, origin: ORIGIN }
  const query = new URLSearchParams({ sdk_page_token: page.token, url: page.url })
  const init = await fetch(`${life.ready.sdk}/init?${query}`, { headers: { origin: ORIGIN } })
  const [{ variants }] = JSON.parse(await init.text()).catalog.products
  return { page, line: { variant_id: variants[0].id, price_id: variants[0].prices[0].id, quantity: 1 } }
}

describe('kills between the card and the thank-you page', function () {
  this.timeout(patience)
  const places = suiteDirectories('page-sales')
  let stripe: StripeDouble
  before(async () => {
    stripe = await openStripeDouble()
  })
  after(async () => {
    places.clear()
    await stripe.close()
  })

  it(`charge and order once, over ${KILLS} of them`, async () => {
    const data = places.place()
    const settings = { MILLRACE_STRIPE_URL: stripe.url, MILLRACE_PUBLIC_RATE_LIMIT: '0', MILLRACE_SDK_PORT: '0' }
    let life = await startServiceProcess(data, { settings })
    const { api_key: token, workspace_id } = life.ready
    const { page, line } = await makeFunnel(life)
    const ordersBy = async (email: string): Promise<number> => {
      const api = apiClient(life.url, token!)
      const workspace = `/workspaces/${workspace_id}`
      const [contact] = ok(await api.get(`${workspace}/contacts?filter[email_address]=${encodeURIComponent(email)}`))
      return ok(await api.get(`${workspace}/orders?filter[contact_id]=${contact.id}`)).length
    }
    let unanswered = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const call = (path: string, body: object) => callOf({ sdkUrl: life.ready.sdk })(path, page, body)
      const { session } = (await call('/visits', visit())).body
      const cart = { id: random(), lines: [line], email: someone() }
      const { version, state } = (await call('/checkout/state', { cart })).body
      // Every other bank asks the buyer.
      const card = kill % 2 === 0 ? `pm_${randomUUID()}` : `ctoken_authentication-${randomUUID()}`
      const paying = {
        ...{ session, cart, shown: { version, total: state.totals.total }, attempt: 1 },
        ...{ contact: { email: cart.email }, payment: { token: card } },
      }
      const answered = call('/checkout/pay', paying).then(
        () => true,
        () => false,
      )
      await wait(places.chance.below(LIFE_MS))
      await life.stop('SIGKILL')
      if (!(await answered)) unanswered++
      life = await startServiceProcess(data, { settings })
      // The browser sends the attempt again where it got no answer.
      await call('/checkout/pay', paying)
      let seen = 'pending'
      for (; seen === 'pending' || seen === 'action'; await wait(20)) {
        seen = (await call('/checkout/status', { session, cart_id: cart.id })).body.status
        if (seen !== 'action') continue
        stripe.answersBank('approved')
        await call('/checkout/confirm', { session, cart_id: cart.id })
      }
      expect(seen).to.equal('paid')
      expect(await ordersBy(cart.email), cart.email).to.equal(1)
    }
    expect(stripe.charges.map(({ amount }) => amount)).to.deep.equal(Array.from({ length: KILLS }, () => 1250))
    expect(stripe.refunds).to.deep.equal([])
    printFigures('page sales', `${KILLS} kills, ${unanswered} before an answer; each buyer charged and sent on once`)
    await life.stop()
  })
})
