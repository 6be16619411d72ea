import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ok } from '../support/client.ts'
import { recordMakers } from '../support/records.ts'
import { type Tenant, testService } from '../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../support/traffic/shop.ts'

/** Number of checkouts, in `npm test` and in the long form. */
const BUYERS = process.env.FAULTS === 'long' ? 1000 : 150
const IN_FLIGHT = 64

describe('many checkouts at once', () => {
  let tenant: Tenant
  let shop: Shop

  beforeEach(async () => {
    tenant = await (await testService()).tenant()
    shop = await shopOf(tenant)
  })

  /** Starts all checkouts, a fixed number at a time. @returns how many reached each end */
  const ends = async (line: OnSale, fieldsOf: (n: number) => object) => {
    const ids: number[] = []
    let next = 0
    const buy = async () => {
      while (next < BUYERS) ids.push((await shop.begins(line, fieldsOf(next++))).id)
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, buy))
    const counts: Record<string, number> = {}
    for (const id of ids) {
      const { status } = await shop.ends(id)
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }

  it(`sell the last ten to ten of ${BUYERS}`, async function () {
    this.timeout(BUYERS * 500)
    const line = await shop.sells({ amount: 5 })
    const location_id = await recordMakers['fulfillments/location']!.make(tenant)
    const level = { variant_id: line.variant_id, levels: [{ location_id, quantity: 10 }] }
    const stock = ok(await shop.api.post(`${shop.workspace}/fulfillments/stocks`, { fulfillments_stock: level }))
    expect(await ends(line, () => ({}))).to.deep.equal({ completed: 10, compensated: BUYERS - 10 })
    const after = ok(await shop.api.get(`/fulfillments/stocks/${stock.id}`))
    expect(after).to.include({ on_hand: 10, committed: 10, reserved: 0, available: 0 })
  })

  it(`redeem a code once a customer, of ${BUYERS} uses by ten`, async function () {
    this.timeout(BUYERS * 500)
    const line = await shop.sells({ amount: 5 })
    const discount = { name: 'Once', code: 'ONCE', percent: '50', limit_1_per_customer: true }
    const { id } = ok(await shop.api.post(`${shop.workspace}/discounts`, { discount }))
    const contacts: number[] = []
    for (let n = 0; n < 10; n++) contacts.push(await recordMakers.contact!.make(tenant))
    const begun: number[] = []
    let next = 0
    const use = async () => {
      while (next < BUYERS) {
        const contact_id = contacts[next++ % contacts.length]
        const checkout = { contact_id, live_mode: false, payment_method_id: 'approved', discount_codes: ['ONCE'] }
        const lines = { line_items_attributes: [{ ...line, quantity: 1 }] }
        const { status, body } = await shop.api.post(`${shop.workspace}/checkouts`, {
          checkout: { ...checkout, ...lines },
        })
        // Late buyers are refused at once.
        if (status === 201) begun.push(body.id)
        else expect(body.details[0].code).to.equal('used')
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, use))
    const all = []
    for (const one of begun) all.push(await shop.ends(one))
    expect(all.filter(({ status }) => status === 'completed')).to.have.length(10)
    const count = async () => ok(await shop.api.get(`/discounts/${id}`)).redemptions_count
    for (let tries = 0; (await count()) < 10 && tries < 100; tries++) await sleep(20)
    expect(await count()).to.equal(10)
    const numbers = ok(await shop.api.get(`${shop.workspace}/orders`)).map(
      (one: { order_number: string }) => one.order_number,
    )
    expect(new Set(numbers).size).to.equal(10)
  })
})
