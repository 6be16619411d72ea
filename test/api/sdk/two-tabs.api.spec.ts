import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { recordMakers } from '../../support/records.ts'
import {
  asking,
  type GatewayShops,
  ON_PAYMENTS_AI,
  ON_STRIPE,
  type OnSale,
  openGatewayShops,
} from '../../support/sdk-gateways.ts'
import type { Answer } from '../../support/sdk-pages.ts'
import { type Buying, CARDS, line, passes, someone } from '../../support/sdk-shop.ts'
import type { Tenant } from '../../support/service.ts'

const GATEWAYS = [
  ['the simulator', undefined, () => CARDS.asks, () => CARDS.good],
  ['Stripe', ON_STRIPE, asking, () => `pm_${randomUUID()}`],
  ['Payments AI', ON_PAYMENTS_AI, () => `authentication-${randomUUID()}`, () => `card-${randomUUID()}`],
] as const

describe('checkouts on pages in several tabs', () => {
  let shops: GatewayShops
  let tenant: Tenant
  before(async () => {
    shops = await openGatewayShops()
    tenant = shops.tenant
  })
  after(() => shops.close())

  const keeps = async ({ mug }: OnSale, quantity: number) => {
    const location_id = await recordMakers['fulfillments/location']!.make(tenant)
    const stock = { variant_id: mug.variantId, levels: [{ location_id, quantity }] }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/fulfillments/stocks`, { fulfillments_stock: stock }))
  }
  const shopOver = async (account: object | undefined) =>
    shops.shopOver(account ? await shops.open(account) : undefined)
  /** Goes on as the same visitor, in another tab. */
  const otherTab = ({ shop }: OnSale, { session }: Buying) => shop.as(shop.pages[0]!, session)
  const waits = async (buying: Buying) => expect((await buying.outcome()).body.status).to.equal('action')
  const totals = async ({ shop }: OnSale) => {
    await shops.service.caughtUp()
    return (await shop.orders()).map(({ total_amount }) => total_amount)
  }

  for (const [name, account, asks, good] of GATEWAYS) {
    it(`sell the last unit over ${name} to a visitor whose other tab was closed while the bank asked`, async () => {
      const at = await shopOver(account)
      await keeps(at, 1)
      const cart = { email: someone() }
      const closed = await at.shop.arrives(at.shop.pages[0]!)
      await closed.pay([line(at.mug)], { ...cart, card: asks() })
      await waits(closed)
      const earlier = await totals(at)
      const tab = otherTab(at, closed)
      expect((await tab.pay([line(at.mug)], { ...cart, card: good() })).body).to.include({ status: 'pending' })
      expect((await tab.outcome()).body.status).to.equal('paid')
      expect(await totals(at)).to.deep.equal([...earlier, '12.50'])
      const { status, errors } = (await closed.outcome()).body
      expect([status, errors[0].code]).to.deep.equal(['refused', 'authentication_required'])
    })
  }

  it('do the same where the address was corrected, which makes the visitor another contact', async () => {
    const at = await shopOver(undefined)
    await keeps(at, 1)
    const closed = await at.shop.arrives(at.shop.pages[0]!)
    await closed.pay([line(at.mug)], { email: someone(), card: CARDS.asks })
    await waits(closed)
    const corrected = { email: someone(), card: CARDS.asks }
    const tab = otherTab(at, closed)
    await tab.pay([line(at.mug)], corrected)
    await waits(tab)
    const third = otherTab(at, closed)
    await third.pay([line(at.mug)], { ...corrected, card: CARDS.good })
    expect((await third.outcome()).body.status).to.equal('paid')
  })

  it('leave what somebody else keeps back, and what the same visitor pays for something else', async () => {
    const at = await shopOver(undefined)
    await keeps(at, 1)
    const waiting = await at.shop.arrives(at.shop.pages[0]!)
    await waiting.pay([line(at.mug)], { card: CARDS.asks })
    await waits(waiting)
    const stranger = await at.shop.arrives(at.shop.pages[0]!)
    await stranger.pay([line(at.mug)])
    const { status, errors } = (await stranger.outcome()).body
    expect([status, errors[0].code]).to.deep.equal(['refused', 'out_of_stock'])
    const cup = await at.shop.sells(at.shop.pages[0]!, { amount: '5.00' })
    const tab = otherTab(at, waiting)
    await tab.pay([line(cup)])
    expect((await tab.outcome()).body.status).to.equal('paid')
    await waits(waiting)
    await waiting.call('/checkout/confirm', { cart_id: waiting.cartId, result: 'approved' })
    expect((await waiting.outcome()).body.status).to.equal('paid')
  })

  it('give nothing up that the bank was told meanwhile: it is bought, and a second one is not there', async () => {
    const at = await shopOver(ON_STRIPE)
    await keeps(at, 1)
    const [charges, earlier] = [shops.stripe.charges.length, await totals(at)]
    const closed = await at.shop.arrives(at.shop.pages[0]!)
    const email = someone()
    await closed.pay([line(at.mug)], { email, card: asking() })
    await waits(closed)
    shops.stripe.answersBank('approved')
    await otherTab(at, closed).pay([line(at.mug)], { email, card: `pm_${randomUUID()}` })
    expect((await closed.outcome()).body.status).to.equal('paid')
    expect(await totals(at)).to.deep.equal([...earlier, '12.50'])
    expect([shops.stripe.charges.length, shops.stripe.refunds]).to.deep.equal([charges + 1, []])
  })

  it('leave an open offer with its visitor where somebody else signs up in the same browser', async () => {
    const at = await shopOver(undefined)
    const [buy, more] = [at.shop.pages[0]!, at.shop.pages[1]!]
    const tray = await at.shop.sells(more, { amount: '7.00' })
    const email = someone()
    const buying = await at.shop.arrives(buy)
    await buying.pay([line(at.mug)], { email })
    expect((await buying.outcome()).body.status).to.equal('paid')
    const { offer, state, version } = (await at.shop.as(more, buying.session).call('/offer')).body
    const other = await at.shop.arrives(more)
    const { variant_id, price_id } = tray
    const accept = { variant_id, price_id, cart_id: other.cartId, shown: { version, total: state.totals.total } }
    for (const named of [{}, { offer: `${offer}x` }])
      expect((await other.call('/offer/accept', { ...accept, ...named })).body.status).to.equal('unavailable')
    const elsewhere = at.shop.as(buy, other.session)
    expect((await elsewhere.call('/checkout/status', { cart_id: elsewhere.cartId, offer })).body.status).to.equal(
      'none',
    )
    expect((await other.call('/offer', { offer })).body.status).to.equal('open')
    await other.call('/offer/accept', { ...accept, offer })
    await eventually(async () => {
      const { body } = await other.call('/checkout/status', { cart_id: other.cartId, offer })
      expect(body.status).to.equal('paid')
    })
    await shops.service.caughtUp()
    const orders = await at.shop.orders()
    expect([orders.at(-1)?.total_amount, orders.at(-1)?.contact]).to.deep.equal(['7.00', orders.at(-2)?.contact])
  })

  describe('ask before the same is bought again', () => {
    let at: OnSale
    before(async () => {
      at = await shopOver(undefined)
    })
    const arrives = () => at.shop.arrives(at.shop.pages[0]!)
    const ordersMade = async (act: () => Promise<unknown>): Promise<number> => {
      const earlier = (await totals(at)).length
      await act()
      return (await totals(at)).length - earlier
    }
    const refusal = ({ status, body }: Answer) => [status, body.error?.code]
    const ASKED = [409, 'bought_already']

    it('in another tab, charging nothing until the visitor says yes, who then has two orders', async () => {
      const first = await arrives()
      const email = someone()
      const tab = otherTab(at, first)
      const bought = await ordersMade(async () => {
        await first.pay([line(at.mug)], { email })
        expect(refusal(await tab.pay([line(at.mug)], { email }))).to.deep.equal(ASKED)
        expect((await tab.outcome()).body.status).to.equal('none')
        expect((await first.outcome()).body.status).to.equal('paid')
      })
      expect(bought).to.equal(1)
      const again = await ordersMade(async () => {
        expect((await tab.pay([line(at.mug)], { email, again: true })).body.status).to.equal('pending')
        expect((await tab.outcome()).body.status).to.equal('paid')
      })
      expect(again).to.equal(1)
      expect(refusal(await otherTab(at, first).pay([line(at.mug)], { email }))).to.deep.equal(ASKED)
    })

    it('where four pay at the same moment, of which one buys, and each of the others that says yes', async () => {
      const first = await arrives()
      const email = someone()
      const tabs = [first, ...Array.from({ length: 3 }, () => otherTab(at, first))]
      const all = async (more: object) => {
        const answers = await Promise.all(tabs.map((tab) => tab.pay([line(at.mug)], { email, ...more })))
        for (const tab of tabs) await tab.outcome()
        return answers.filter(({ status }) => status !== 200).map(refusal)
      }
      expect(await ordersMade(async () => expect(await all({})).to.deep.equal([ASKED, ASKED, ASKED]))).to.equal(1)
      expect(await ordersMade(async () => expect(await all({ again: true })).to.deep.equal([]))).to.equal(3)
    })

    it('about no other lines, nobody else, nothing that was refused, and not some minutes later', async () => {
      const first = await arrives()
      const cup = await at.shop.sells(at.shop.pages[0]!, { amount: '5.00' })
      const email = someone()
      await first.pay([line(at.mug)], { email, card: CARDS.declined })
      expect((await first.outcome()).body.status).to.equal('refused')
      const pays = async (buying: Buying, lines: readonly object[], address = email) => {
        expect((await buying.pay(lines, { email: address })).body.status).to.equal('pending')
        expect((await buying.outcome()).body.status).to.equal('paid')
      }
      await pays(otherTab(at, first), [line(at.mug)])
      await pays(otherTab(at, first), [line(at.mug, 2)])
      await pays(otherTab(at, first), [line(at.mug), line(cup)])
      await pays(otherTab(at, first), [line(at.mug)], someone())
      await pays(await arrives(), [line(at.mug)])
      await passes(tenant, 3)
      await pays(otherTab(at, first), [line(at.mug)])
    })

    it('and name what is wrong with an answer that is neither yes nor no', async () => {
      const { body } = await (await arrives()).pay([line(at.mug)], { again: 'yes' })
      expect(body.error).to.deep.include({ code: 'bad_request', message: 'again must be true or false' })
    })
  })
})
