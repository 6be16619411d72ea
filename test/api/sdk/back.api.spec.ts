import { expect } from 'chai'
import { type Buying, line, type Offered, type SdkShop, sdkShop } from '../../support/sdk-shop.ts'
import { testService } from '../../support/service.ts'

describe('offers to which a visitor comes back', () => {
  let shop: SdkShop
  let mug: Offered
  let tray: Offered
  before(async () => {
    const service = await testService()
    shop = await sdkShop(service, await service.tenant({ test: true }), 3)
    mug = await shop.sells(shop.pages[0]!, { amount: '12.50' })
    tray = await shop.sells(shop.pages[1]!, { amount: '7.00' })
  })

  const buys = async (): Promise<Buying> => {
    const buying = await shop.arrives(shop.pages[0]!)
    await buying.pay([line(mug)])
    expect((await buying.outcome()).body.status).to.equal('paid')
    return shop.as(shop.pages[1]!, buying.session)
  }
  const offer = async (visitor: Buying) => (await visitor.call('/offer')).body
  /** Where an address of a redirect leads. */
  const target = async (redirect: string): Promise<string> => {
    const between = await fetch(redirect)
    return between.headers
      .get('refresh')!
      .replace(/^0; url=/, '')
      .split('#')[0]!
  }

  it('lead on once they are taken, and once they are declined', async () => {
    const [taking, declining] = [await buys(), await buys()]
    const { state, version, redirect } = await offer(taking)
    expect(redirect).to.equal(undefined)
    const { variant_id, price_id } = tray
    const shown = { version, total: state.totals.total }
    await taking.call('/offer/accept', { variant_id, price_id, cart_id: taking.cartId, shown })
    await taking.outcome()
    const declined = (await declining.call('/offer/decline')).body.redirect
    for (const visitor of [taking, declining]) {
      const answer = await offer(visitor)
      expect([answer.status, await target(answer.redirect)]).to.deep.equal(['unavailable', await target(declined)])
    }
  })

  it('lead nobody on for whom there was none, or whose charge is not known yet', async () => {
    const stranger = await shop.arrives(shop.pages[1]!)
    expect((await offer(stranger)).redirect).to.equal(undefined)
    const taking = await buys()
    const { state, version } = await offer(taking)
    const { variant_id, price_id } = tray
    const shown = { version, total: state.totals.total }
    const payment = { token: 'late' }
    await taking.call('/offer/accept', { variant_id, price_id, cart_id: taking.cartId, shown, payment })
    const { status, redirect } = await offer(taking)
    expect([status, redirect]).to.deep.equal(['unavailable', undefined])
  })
})
