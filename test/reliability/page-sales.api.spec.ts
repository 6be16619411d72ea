import { expect } from 'chai'
import { ok } from '../support/client.ts'
import { recordMakers } from '../support/records.ts'
import { type Buying, line, sdkShop } from '../support/sdk-shop.ts'
import { testService } from '../support/service.ts'
import { byForm, patience } from './form.ts'

const BUYERS = byForm(60, 1000)
const LAST = 10
const IN_FLIGHT = 32

describe('many visitors of one page at once', function () {
  this.timeout(patience)

  it(`buy the last ${LAST}: of ${BUYERS}, ${LAST} have one, and the others are told why and not charged`, async () => {
    const service = await testService()
    const tenant = await service.tenant()
    const shop = await sdkShop(service, tenant)
    const mug = await shop.sells(shop.pages[0]!, { amount: '5.00' })
    const location_id = await recordMakers['fulfillments/location']!.make(tenant)
    const level = { variant_id: mug.variantId, levels: [{ location_id, quantity: LAST }] }
    const stocks = `/workspaces/${tenant.workspaceId}/fulfillments/stocks`
    const stock = ok(await tenant.api.post(stocks, { fulfillments_stock: level }))
    const buyers: Buying[] = []
    for (let n = 0; n < BUYERS; n++) buyers.push(await shop.arrives(shop.pages[0]!))
    const outcomes: { readonly status: string; readonly errors?: readonly { readonly code: string }[] }[] = []
    let next = 0
    const buy = async () => {
      for (let buyer = buyers[next++]; buyer; buyer = buyers[next++]) {
        await buyer.pay([line(mug)])
        outcomes.push((await buyer.outcome()).body)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, buy))
    expect(outcomes.filter(({ status }) => status === 'paid')).to.have.length(LAST)
    const told = outcomes.flatMap(({ errors = [] }) => errors.map(({ code }) => code))
    expect(told).to.deep.equal(Array.from({ length: BUYERS - LAST }, () => 'out_of_stock'))
    await service.caughtUp()
    expect(await shop.orders()).to.have.length(LAST)
    const after = ok(await tenant.api.get(`/fulfillments/stocks/${stock.id}`))
    expect(after).to.include({ committed: LAST, reserved: 0, available: 0 })
  })
})
