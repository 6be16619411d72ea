import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { type ApiClient, apiClient, ok } from '../../support/client.ts'
import { openStripeDouble, STRIPE_KEY, type StripeDouble } from '../../support/payments/stripe-double.ts'
import { startTestService } from '../../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { type ServiceProcess, startServiceProcess, suiteDirectories } from '../service-process.ts'

const KILLS = byForm(2, 50)
const SUBSCRIPTIONS = byForm(2, 20)
/** Latest moment of a kill after the start of a checkout. On a fast machine all steps are done by then. */
const LIFE_MS = 50

/** Creates an account with the gateway. @returns its id */
const accountIn = async ({ api, workspace }: Shop): Promise<number> => {
  const account = { name: 'Stripe', provider: 'stripe', secret_key: STRIPE_KEY }
  return ok(await api.post(`${workspace}/payments/gateway_accounts`, { payments_gateway_account: account })).id
}

const paying = (gateway_account_id: number) => ({
  ...{ gateway_account_id, payment_method_id: undefined, payment_method_token: `pm_${randomUUID()}` },
})

describe('charges over a gateway with its own records', function () {
  this.timeout(patience)
  const places = suiteDirectories('charges')
  let stripe: StripeDouble
  before(async () => {
    stripe = await openStripeDouble()
  })
  after(async () => {
    places.clear()
    await stripe.close()
  })

  /** Kills between the charge and its record; every other time at a random moment. */
  const killDuring = async (life: ServiceProcess, kill: number, before: number): Promise<void> => {
    if (kill % 2 === 0) await wait(places.chance.below(LIFE_MS))
    else {
      for (const begun = Date.now(); stripe.charges.length === before && Date.now() - begun < 10_000; ) await wait(1)
      await wait(places.chance.below(4))
    }
    await life.stop('SIGKILL')
  }

  it(`are made and recorded once, whatever is killed between, over ${KILLS} kills`, async () => {
    const data = places.place()
    const settings = { MILLRACE_STRIPE_URL: stripe.url }
    let life = await startServiceProcess(data, { settings })
    const { workspace_id: workspaceId, api_key: token } = life.ready
    const shopNow = (api: ApiClient) => shopOf({ api, workspaceId } as Parameters<typeof shopOf>[0])
    let api = apiClient(life.url, token!)
    const shop = await shopNow(api)
    const once = await shop.sells({ amount: '12.50' })
    const account = await accountIn(shop)
    const begun: number[] = []
    let atCharge = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const before = stripe.charges.length
      const wanted = { contact_id: shop.contactId, live_mode: false, ...paying(account) }
      const checkout = { ...wanted, line_items_attributes: [{ ...once, quantity: 1 }] }
      const { id } = ok(await api.post(`${shop.workspace}/checkouts`, { checkout }))
      begun.push(id)
      await killDuring(life, kill, before)
      if (stripe.charges.length > before) atCharge++
      life = await startServiceProcess(data, { settings })
      api = apiClient(life.url, token!)
      for (let seen = 'running'; seen === 'running'; await wait(20)) seen = ok(await api.get(`/checkouts/${id}`)).status
    }
    expect(stripe.charges.map(({ amount }) => amount)).to.deep.equal(begun.map(() => 1250))
    const recorded: string[] = []
    const orders = new Set<number>()
    for (const id of begun) {
      const { status, order_id } = ok(await api.get(`/checkouts/${id}`))
      expect(status).to.equal('completed')
      orders.add(order_id)
      const invoices = ok(await api.get(`/orders/${order_id}/invoices`))
      expect(invoices.map((one: { status: string }) => one.status)).to.deep.equal(['paid'])
      const all = ok(await api.get(`/orders/${order_id}/transactions`))
      recorded.push(...all.map((one: { external_id: string }) => one.external_id))
    }
    expect(orders.size).to.equal(KILLS)
    expect(recorded).to.have.members(stripe.charges.map(({ id }) => id))
    printFigures(
      'charges',
      `${KILLS} kills, ${atCharge} of them when the charge was made; each charged and recorded once`,
    )
    await life.stop()
  })

  it(`of ${SUBSCRIPTIONS} renewals are all made once when the gateway is back that was down for an hour`, async () => {
    const service = await startTestService({ MILLRACE_STRIPE_URL: stripe.url })
    const shop = await shopOf(await service.tenant({ test: true }))
    const account = await accountIn(shop)
    const monthly: OnSale = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months' })
    const orders: number[] = []
    for (let n = 0; n < SUBSCRIPTIONS; n++) orders.push((await shop.buys(monthly, paying(account))).order_id)
    const before = stripe.charges.length
    const { next_charge_at } = await shop.order(orders.at(-1)!)
    const { now } = ok(await shop.api.get(`${shop.workspace}/test_clock`))
    stripe.behaves('is broken')
    const HOUR = 1 / 24
    await shop.passes((Date.parse(next_charge_at) - Date.parse(now)) / 86_400_000 + HOUR)
    expect(stripe.charges.length, 'nothing is charged while it is down').to.equal(before)
    stripe.behaves('answers')
    await shop.passes(2 * HOUR)
    expect(stripe.charges.length - before).to.equal(SUBSCRIPTIONS)
    for (const order of orders) {
      const invoices = await shop.invoices(order)
      expect(invoices.map(({ status }) => status)).to.deep.equal(['paid', 'paid'])
      expect(await shop.transactions(order)).to.have.length(2)
    }
  })
})
