import { expect } from 'chai'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { priceCart } from '../../../domain/pricing/public.ts'
import { collectionIdsOf, usabilityOf } from '../../../domain/store/public.ts'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { checkout, idOrThrow } from '../../support/traffic/discounts.ts'
import { unbound } from '../../support/unbound.ts'

const DAY = 24 * 60 * 60 * 1000
const inDays = (days: number, from = Date.now()) => new Date(from + days * DAY).toISOString()

describe('discounts over REST', () => {
  let service: TestService
  let tenant: Tenant
  let path: string
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    path = `/workspaces/${tenant.workspaceId}/discounts`
  })

  let count = 0
  const post = (fields: object) =>
    tenant.api.post(path, { discount: { name: 'Spring', code: `code-${++count}`, percent: '20', ...fields } })
  const make = async (fields: object = {}) => {
    const { status, body } = await post(fields)
    expect(status, JSON.stringify(body)).to.equal(201)
    return body
  }
  const refused = async (fields: object) => {
    const { status, body } = await post(fields)
    return [status, body.error]
  }
  const patch = (id: number, discount: object) => tenant.api.call('PATCH', `/discounts/${id}`, { discount })
  const get = async (id: number) => (await tenant.api.get(`/discounts/${id}`)).body
  const contact = () => recordMakers.contact!.make(tenant)

  it('shows its terms and its state', async () => {
    const one = await make({ code: 'Spring-a' })
    expect(one).to.include({
      code: 'SPRING-A',
      discount_type: 'code',
      percent: '20.0',
      amount: null,
      currency: 'usd',
      active: true,
      expired: false,
      scheduled: false,
      redemptions_count: 0,
    })
    expect(one.apply_from).to.equal(one.created_at)
    expect(one).not.to.have.property('type')
    expect(await make({ type: 'automatic', code: 'auto' })).to.include({ discount_type: 'automatic' })
    expect(await make({ apply_from: inDays(2) })).to.include({ active: false, scheduled: true, expired: false })
    const list = async (query: string) => (await tenant.api.get(`${path}?${query}`)).body
    expect((await list('filter[code]=spring-a')).map(({ id }: { id: number }) => id)).to.deep.equal([one.id])
    expect((await list('filter[discount_type]=automatic')).length).to.equal(1)
  })

  it('refuses with the texts of the contract', async () => {
    await make({ code: 'TAKEN' })
    const says = (text: string) => [422, `Request unprocessable: ${text}`]
    expect(await refused({ code: 'taken' })).to.deep.equal(
      says('Coupon Code is already being used in another Discount or Coupon'),
    )
    expect(await refused({ percent: '0' })).to.deep.equal(says('Percent must be greater than 0'))
    expect(await refused({ code: 'no way' })).to.deep.equal(
      says('Coupon Code only allows letters, numbers, and hyphens'),
    )
    for (const expired of [true, false, null])
      expect(await refused({ expired })).to.deep.equal(
        says(
          '`expired` is not a create field. Create the discount, then expire it with `PATCH { "discount": { "expired": true } }`.',
        ),
      )
    for (const discount_type of ['gift', null])
      expect(await refused({ discount_type })).to.deep.equal(
        says('`discount_type` must be one of: code, automatic, sale.'),
      )
    expect(await refused({ applies_to: 'all' })).to.deep.equal(
      says('`applies_to` must be one of: all_products, specific_products, specific_variants, specific_collections.'),
    )
    const { id } = await make()
    for (const expired of ['true', null]) {
      const { status, body } = await patch(id, { expired })
      expect([status, body.error]).to.deep.equal(says('`expired` must be true or false.'))
    }
  })

  it('expires, and is frozen then; its code stays taken until it is removed', async () => {
    const { id, code } = await make()
    const over = await patch(id, { expired: true, name: 'Over' })
    expect(over.body).to.include({ expired: true, active: false, name: 'Over' })
    expect(over.body.apply_until).to.equal(over.body.updated_at)
    for (const fields of [{ name: 'x' }, { expired: false }, { expired: true }, { apply_until: inDays(3) }]) {
      const { status, body } = await patch(id, fields)
      expect([status, body.error]).to.deep.equal([
        422,
        'Request unprocessable: Discount cannot be changed because it has expired',
      ])
    }
    expect((await post({ code })).status).to.equal(422)
    expect((await tenant.api.delete(`/discounts/${id}`)).status).to.equal(204)
    expect((await post({ code })).status).to.equal(201)
  })

  it('counts sales that are complete, and is locked from the first reservation on', async () => {
    const { id } = await make()
    const { reserve, redeem, release } = checkout(service, tenant)
    const buyer = await contact()
    const [first, second] = [idOrThrow(await reserve(id, buyer)), idOrThrow(await reserve(id, buyer))]
    expect((await get(id)).redemptions_count).to.equal(0)
    expect((await tenant.api.delete(`/discounts/${id}`)).status).to.equal(422)
    await waitUntilSettled(service)
    idOrThrow(await redeem(first, 1))
    idOrThrow(await redeem(first, 1))
    idOrThrow(await release(second))
    expect((await get(id)).redemptions_count).to.equal(1)
    const past = (await get(id)).updated_at
    const { status, body } = await patch(id, { percent: '30' })
    expect([status, body.error]).to.deep.equal([
      422,
      'Request unprocessable: Percent cannot be changed because it has already been applied',
    ])
    expect(body.details[0].field).to.equal('discount.percent')
    expect((await patch(id, { name: 'Renamed' })).status).to.equal(200)
    expect((await tenant.api.get(`/discounts/${id}?as_of=${past}`)).body).to.include({ redemptions_count: 0 })
    const sold = new Date().toISOString()
    while (Date.now() <= Date.parse(sold)) await new Promise(setImmediate)
    idOrThrow(await release(first))
    expect((await get(id)).redemptions_count).to.equal(0)
    expect((await tenant.api.get(`/discounts/${id}?as_of=${sold}`)).body).to.include({ redemptions_count: 1 })
    expect((await tenant.api.delete(`/discounts/${id}`)).status).to.equal(422)
  })

  it('stands on the order that it was redeemed for, until it is released', async () => {
    const { id } = await make()
    const { reserve, redeem, release } = checkout(service, tenant)
    const order = await recordMakers.order!.make(tenant)
    const shown = async () => (await tenant.api.get(`/orders/${order}`)).body.discount_ids
    for (let asked = 0; asked < 3; asked++) expect(await shown()).to.deep.equal([])
    const redemption = idOrThrow(await reserve(id, await contact()))
    idOrThrow(await redeem(redemption, order))
    for (let asked = 0; asked < 3; asked++) expect(await shown()).to.deep.equal([id])
    idOrThrow(await release(redemption))
    expect(await shown()).to.deep.equal([])
  })

  it('has one event in its own stream that it is applied, for any number of uses', async () => {
    const { id } = await make()
    const { reserve } = checkout(service, tenant)
    const buyers = await Promise.all(Array.from({ length: 20 }, contact))
    await Promise.all(buyers.map((buyer) => reserve(id, buyer)))
    await waitUntilSettled(service)
    const types: string[] = []
    for await (const { type } of service.background.stores.log.readStream(`discount-${id}`)) types.push(type)
    expect(types).to.deep.equal(['DiscountCreated', 'DiscountApplied'])
  })

  it('for one use by customer is used ten times by ten contacts, in many attempts', async () => {
    const { id } = await make({ limit_1_per_customer: true })
    const { reserve, redeem, release } = checkout(service, tenant)
    const buyers = await Promise.all(Array.from({ length: 10 }, contact))
    const uses = Array.from({ length: 1000 }, async (_, n) => {
      const reserved = await reserve(id, buyers[n % buyers.length]!)
      return reserved instanceof Refusal ? reserved : redeem(reserved, n + 1)
    })
    const results = await Promise.all(uses)
    const lost = results.filter((one) => one instanceof Refusal)
    expect(results.length - lost.length).to.equal(10)
    expect(new Set(lost.map(({ message }) => message))).to.deep.equal(
      new Set(['Discount has already been used by this customer']),
    )
    expect((await get(id)).redemptions_count).to.equal(10)
    const [winner] = results.filter((one) => typeof one === 'number')
    idOrThrow(await release(Number(winner)))
    const again = await Promise.all(buyers.map((buyer) => reserve(id, buyer)))
    expect(again.filter((one) => typeof one === 'number').length).to.equal(1)
  }).timeout(120_000)

  it('tells whether a code can be used now, and why not', async () => {
    const buyer = await contact()
    const { reserve } = checkout(service, tenant)
    const lines = [{ key: 'a', product_id: 1, variant_id: 1, collection_ids: [], quantity: 1, unit: 1000n }]
    const use = async (code: string, more: object = {}) => {
      const at = new Date().toISOString()
      const { workspaceId } = tenant
      const cart = { workspaceId, contactId: buyer, lines, currency: 'USD', at, ...more }
      const found = await usabilityOf(code, cart, readerOver(unbound(service.background.stores.readModels.live)))
      if ('why' in found) return found.why
      expect(priceCart({ ...cart, discounts: [found.discount], shipping: 0n }).totals.discount).to.equal(200n)
      return found.discount.code
    }
    const { code } = await make({ limit_1_per_customer: true })
    const { id } = await make({ code: 'ONCE', limit_1_per_customer: true })
    await make({ code: 'LATER', apply_from: inDays(1) })
    await make({ code: 'MUCH', require_minimum_spend: true, require_minimum_spend_amount: 11 })
    await make({ code: 'SELF', discount_type: 'automatic' })
    idOrThrow(await reserve(id, buyer))
    expect(await use(code.toLowerCase())).to.equal(code)
    expect([await use('nobody'), await use(' '), await use('self')]).to.deep.equal(['unknown', 'unknown', 'unknown'])
    expect([await use('once'), await use('once', { contactId: undefined })]).to.deep.equal(['used', 'ONCE'])
    expect([await use('later'), await use('later', { at: inDays(2) })]).to.deep.equal(['scheduled', 'LATER'])
    expect([await use('much'), await use('much', { lines: [] })]).to.deep.equal(['minimum_spend', 'minimum_spend'])
    expect(await use(code, { workspaceId: tenant.workspaceId + 1000 })).to.equal('unknown')
  })

  it('applies to the current products of a collection', async () => {
    const [first, second] = [await recordMakers.product!.make(tenant), await recordMakers.product!.make(tenant)]
    const collections = `/workspaces/${tenant.workspaceId}/products/collections`
    const of = async (product_ids: number[]) =>
      (await tenant.api.post(collections, { products_collection: { name: 'Sale', product_ids } })).body.id
    const [both, one] = [await of([first, second]), await of([second])]
    const found = await collectionIdsOf([first, second], readerOver(unbound(service.background.stores.readModels.live)))
    expect([found.get(first), found.get(second)]).to.deep.equal([[both], [both, one]])
  })

  it('begins and ends by the clock of its workspace, and was as it was', async () => {
    const other = await service.tenant({ test: true })
    const clock = `/workspaces/${other.workspaceId}/test_clock`
    const { now } = (await other.api.get(clock)).body
    const period = { apply_from: inDays(2, Date.parse(now)), apply_until: inDays(4, Date.parse(now)) }
    const discount = { name: 'Days', code: 'DAYS', percent: '20', ...period }
    const made = await other.api.post(`/workspaces/${other.workspaceId}/discounts`, { discount })
    const shown = async (query = '') => {
      const { active, expired, scheduled } = (await other.api.get(`/discounts/${made.body.id}${query}`)).body
      return [scheduled, active, expired]
    }
    const advance = async (days: number) => {
      ok(await other.api.post(clock, { to: inDays(days, Date.parse(now)) }))
      while ((await other.api.get(clock)).body.state === 'advancing') await new Promise((go) => setTimeout(go, 5))
    }
    for (let asked = 0; asked < 3; asked++) expect(await shown()).to.deep.equal([true, false, false])
    await advance(3)
    for (let asked = 0; asked < 3; asked++) expect(await shown()).to.deep.equal([false, true, false])
    await advance(5)
    expect(await shown()).to.deep.equal([false, false, true])
    expect(await shown(`?as_of=${inDays(3, Date.parse(now))}`)).to.deep.equal([false, true, false])
    const [listed] = (await other.api.get(`/workspaces/${other.workspaceId}/discounts`)).body
    expect(listed).to.include({ expired: true, active: false })
  })
})
