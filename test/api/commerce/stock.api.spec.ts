import { expect } from 'chai'
import { stocks } from '../../../domain/inventory/public.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

describe('stock over REST', () => {
  let service: TestService
  let tenant: Tenant
  let location: number
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    location = await recordMakers['fulfillments/location']!.make(tenant)
  })

  const set = (variant_id: number, levels: object[], of = tenant) =>
    of.api.post(`/workspaces/${of.workspaceId}/fulfillments/stocks`, { fulfillments_stock: { variant_id, levels } })
  const variantWith = async (quantity: number, of = tenant, place = location) => {
    const variant = await recordMakers['products/variant']!.make(of)
    const stock = ok(await set(variant, [{ location_id: place, quantity }], of))
    return { variant, id: stock.id as number }
  }
  const seen = async (id: number, of = tenant) => ok(await of.api.get(`/fulfillments/stocks/${id}`))
  const quantityOf = async (variant: number) => ok(await tenant.api.get(`/products/variants/${variant}`)).quantity

  /** Sends a command to the stock as the checkout of an order would. */
  const tell = async (
    act: 'reserve' | 'commit' | 'release',
    orderId: number,
    variant_id: number,
    quantity: number,
    of = tenant,
  ) => {
    const { workspaceId, teamId } = of
    const { core, stores } = service.background
    const stamp = { at: new Date(core.now(workspaceId)).toISOString(), actor: { label: 'test' } }
    const command = { type: act, workspaceId, wanted: { order_id: orderId, quantity }, ...stamp }
    const found = await stores.readModels.live.find('fulfillments/stock', { where: { variant_id } })
    const causes = { teamId, workspaceId, causationId: 'test', correlationId: 'test' }
    const ask = (id: number) => core.engine.transact({ aggregate: stocks, id, command: { id, ...command }, ...causes })
    return Promise.all(found.map(({ id }) => ask(Number(id))))
  }

  it('is set by variant and location, and shown on the variant', async () => {
    const other = await recordMakers['fulfillments/location']!.make(tenant)
    const { variant, id } = await variantWith(4)
    const again = await set(variant, [{ location_id: other, quantity: 3 }])
    expect([again.status, again.body.id]).to.deep.equal([200, id])
    expect(again.body).to.include({ on_hand: 7, available: 7, reserved: 0, committed: 0, variant_id: variant })
    expect(await quantityOf(variant)).to.equal(7)
    await tell('reserve', 1, variant, 2)
    await tell('commit', 2, variant, 1)
    await waitUntilSettled(service)
    expect(await seen(id)).to.include({ on_hand: 7, available: 4, reserved: 2, committed: 1 })
    expect(await quantityOf(variant)).to.equal(4)
    const path = `/fulfillments/stocks/${id}/restock`
    const more = await tenant.api.post(path, { fulfillments_stock: { location_id: location, quantity: 5 } })
    expect(more.body.levels).to.deep.equal([
      { location_id: location, quantity: 9 },
      { location_id: other, quantity: 3 },
    ])
    const listed = await tenant.api.get(
      `/workspaces/${tenant.workspaceId}/fulfillments/stocks?filter[variant_id]=${variant}`,
    )
    expect(listed.body).to.deep.equal([more.body])
  })

  it('of an untracked variant is unlimited', async () => {
    const variant = await recordMakers['products/variant']!.make(tenant)
    expect(await quantityOf(variant)).to.equal(null)
    expect(await tell('reserve', 1, variant, 1_000)).to.deep.equal([])
    const { variant: counted, id } = await variantWith(0)
    expect(await quantityOf(counted)).to.equal(0)
    expect((await tenant.api.delete(`/fulfillments/stocks/${id}`)).status).to.equal(204)
    expect(await quantityOf(counted)).to.equal(null)
    expect((await set(counted, [])).status).to.equal(201)
  })

  it('is sold beyond what there is where the variant, or the default one, says so', async () => {
    const product = ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/products`, {
        product: { name: 'Hat', variant_properties: [{ name: 'Size' }] },
      }),
    )
    const properties_values = [{ property_id: product.variant_properties[0].id, value: 'L' }]
    const variant = ok(
      await tenant.api.post(`/products/${product.id}/variants`, { products_variant: { properties_values } }),
    )
    ok(await set(variant.id, [{ location_id: location, quantity: 1 }]))
    const say = async (id: number, out_of_stock_sales: boolean | null) =>
      ok(await tenant.api.put(`/products/variants/${id}`, { products_variant: { out_of_stock_sales } }))
    const reserves = async (orderId: number) =>
      (await tell('reserve', orderId, variant.id, 2)).map((one) => one instanceof Refusal)
    expect(await reserves(1)).to.deep.equal([true])
    await say(product.default_variant_id, true)
    expect(await reserves(2)).to.deep.equal([false])
    await waitUntilSettled(service)
    expect(await quantityOf(variant.id)).to.equal(-1)
    await say(variant.id, false)
    expect(await reserves(3)).to.deep.equal([true])
  })

  it('that is reserved is for sale again after 30 minutes, unless it is paid for', async () => {
    const patient = await service.tenant({ test: true })
    const place = await recordMakers['fulfillments/location']!.make(patient)
    const { variant, id } = await variantWith(5, patient, place)
    await tell('reserve', 1, variant, 2, patient)
    await tell('commit', 2, variant, 1, patient)
    const clock = `/workspaces/${patient.workspaceId}/test_clock`
    const { now } = ok(await patient.api.get(clock))
    const advance = async (minutes: number) => {
      ok(await patient.api.post(clock, { to: new Date(Date.parse(now) + minutes * 60_000).toISOString() }))
      while (ok(await patient.api.get(clock)).state === 'advancing') await new Promise((go) => setTimeout(go, 5))
    }
    await advance(29)
    expect(await seen(id, patient)).to.include({ available: 2, reserved: 2, committed: 1 })
    await advance(31)
    expect(await seen(id, patient)).to.include({ available: 4, reserved: 0, committed: 1 })
  })

  it('keeps the location from being deleted', async () => {
    const place = await recordMakers['fulfillments/location']!.make(tenant)
    const { variant } = await variantWith(1, tenant, place)
    const { status, body } = await tenant.api.delete(`/fulfillments/locations/${place}`)
    expect([status, body.error]).to.deep.equal([422, 'Request unprocessable: A location with stock cannot be deleted'])
    ok(await set(variant, [{ location_id: place, quantity: 0 }]))
    expect((await tenant.api.delete(`/fulfillments/locations/${place}`)).status).to.equal(204)
  })

  it('is sold to exactly ten of a thousand who want the last ten', async () => {
    const { variant, id } = await variantWith(10)
    const results = await Promise.all(Array.from({ length: 1_000 }, (_, n) => tell('reserve', n + 1, variant, 1)))
    const refused = results.filter(([one]) => one instanceof Refusal)
    expect([results.length - refused.length, refused.length]).to.deep.equal([10, 990])
    await waitUntilSettled(service)
    expect(await seen(id)).to.include({ on_hand: 10, reserved: 10, available: 0 })
  })
})
