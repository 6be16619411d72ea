import { expect } from 'chai'
import { boundTo } from '../../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import { destinationOf, profilesOf, quote } from '../../../domain/shipping/public.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

describe('shipping over REST', () => {
  let tenant: Tenant
  let workspace: string
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
  })

  const made = async (path: string, root: string, fields: object) => {
    const { status, body } = await tenant.api.post(path, { [root]: fields })
    expect(status, JSON.stringify(body)).to.equal(201)
    return body
  }
  const changed = async (path: string, root: string, fields: object) => {
    const { status, body } = await tenant.api.put(path, { [root]: fields })
    return status === 200 ? body : [status, body.error]
  }
  const refused = async (path: string, root: string, fields: object) => {
    const { status, body } = await tenant.api.post(path, { [root]: fields })
    return [status, body.error]
  }
  const says = (text: string) => [422, `Request unprocessable: ${text}`]
  const profileOf = (fields: object = {}) =>
    made(`${workspace}/shipping/profiles`, 'shipping_profile', { name: 'Parcels', ...fields })
  const groupOf = async (profileId: number) =>
    (await tenant.api.get(`/shipping/profiles/${profileId}/location_groups`)).body[0]
  const zoneIn = (groupId: number, fields: object) =>
    made(`/shipping/location_groups/${groupId}/zones`, 'shipping_zone', { name: 'Zone', ...fields })

  it('locations are numbered, keep what is not sent of their address, and need one', async () => {
    const path = `${workspace}/fulfillments/locations`
    const fields = { name: 'Barn', address_name: 'The Barn', email_address: 'barn@example.com' }
    const first = await made(path, 'fulfillments_location', { ...fields, address: { city: 'Leeds', country: 'gb' } })
    const second = await made(path, 'fulfillments_location', { ...fields, address: { city: 'York' } })
    expect(second.sort_order - first.sort_order).to.equal(1)
    expect(first.address).to.deep.equal({
      address_one: null,
      address_two: null,
      city: 'Leeds',
      region: null,
      country: 'GB',
      postal_code: null,
    })
    const moved = await changed(`/fulfillments/locations/${first.id}`, 'fulfillments_location', {
      address: { address_one: '1 Lane' },
    })
    expect(moved.address).to.include({ address_one: '1 Lane', city: 'Leeds', country: 'GB' })
    expect(await refused(path, 'fulfillments_location', { ...fields, address: {} })).to.deep.equal(
      says("Address can't be blank"),
    )
    const external = { ...fields, address: { city: 'Bath' }, external_app: true }
    expect(await refused(path, 'fulfillments_location', external)).to.deep.equal(
      says('External app can only be set with an OAuth 2.0 access token'),
    )
    const { body } = await tenant.api.get(`${path}?sort_property=sort_order&sort_order=desc`)
    expect(body.map(({ id }: { id: number }) => id)).to.deep.equal([second.id, first.id])
  })

  it('stores have paths of their own, made from the name and kept when it changes', async () => {
    const first = await made(`${workspace}/stores`, 'store', { name: 'Summer Shop' })
    expect(first).to.include({ current_path: '/summer-shop', status: 'draft', seo_indexable: true })
    const second = await made(`${workspace}/stores`, 'store', { name: 'Summer Shop' })
    expect(second.current_path).to.match(/^\/summer-shop-[a-z0-9]{6}$/)
    const renamed = await changed(`/stores/${first.id}`, 'store', { name: 'Winter', current_path: '' })
    expect(renamed).to.include({ name: 'Winter', current_path: '/summer-shop' })
    expect(await changed(`/stores/${second.id}`, 'store', { current_path: 'summer-shop' })).to.deep.equal(
      says('Current path has already been taken'),
    )
    expect((await tenant.api.delete(`/stores/${first.id}`)).status).to.equal(204)
    expect((await changed(`/stores/${second.id}`, 'store', { current_path: 'summer-shop' })).current_path).to.equal(
      '/summer-shop',
    )
  })

  it('a profile has a location group with every location, called as it is', async () => {
    const location = await recordMakers['fulfillments/location']!.make(tenant)
    const { id } = await profileOf({ name: 'Letters' })
    const group = await groupOf(id)
    expect(group).to.include({ name: 'Letters', profile_id: id })
    expect(group.fulfillments_location_ids).to.include(location)
    await changed(`/shipping/profiles/${id}`, 'shipping_profile', { name: 'Post' })
    expect((await tenant.api.get(`/shipping/location_groups/${group.id}`)).body.name).to.equal('Post')
    expect((await tenant.api.delete(`/shipping/profiles/${id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/shipping/location_groups/${group.id}`)).status).to.equal(404)
  })

  it('a variant is in one profile at a time', async () => {
    const variant = await recordMakers['products/variant']!.make(tenant)
    const first = await profileOf({ variant_ids: [variant, variant] })
    expect(first.variant_ids).to.deep.equal([variant])
    const second = await profileOf()
    const taken = says(`Variant ids contain ${variant}, which is in another shipping profile`)
    const take = () => changed(`/shipping/profiles/${second.id}`, 'shipping_profile', { variant_ids: [variant] })
    expect(await take()).to.deep.equal(taken)
    await changed(`/shipping/profiles/${first.id}`, 'shipping_profile', { variant_ids: [] })
    expect((await take()).variant_ids).to.deep.equal([variant])
  })

  it('a place is in one zone of a profile, and zones go with their rates', async () => {
    const group = await groupOf((await profileOf()).id)
    const zones = `/shipping/location_groups/${group.id}/zones`
    const zone = await zoneIn(group.id, { country_ids: ['us', 'DE', 'US'], region_ids: ['ca-on'] })
    expect([zone.country_ids, zone.region_ids, zone.location_group_id]).to.deep.equal([
      ['US', 'DE'],
      ['CA-ON'],
      group.id,
    ])
    const also = (fields: object) => refused(zones, 'shipping_zone', { name: 'Other', ...fields })
    expect(await also({ country_ids: ['FR', 'DE'] })).to.deep.equal(
      says('Country ids contain DE, which is in another zone'),
    )
    expect(await also({ region_ids: ['CA-ON'] })).to.deep.equal(
      says('Region ids contain CA-ON, which is in another zone'),
    )
    expect((await also({ country_ids: ['XX'] }))[0]).to.equal(422)
    expect((await also({ region_ids: ['US-ZZ'] }))[0]).to.equal(422)
    const alaska = await zoneIn(group.id, { region_ids: ['US-AK'], includes_rest_of_world: true })
    expect(await also({ includes_rest_of_world: true })).to.deep.equal(
      says('Includes rest of world is true of another zone'),
    )
    const rates_name_id = await recordMakers['shipping/rates/name']!.make(tenant)
    const rate = await made(`/shipping/zones/${alaska.id}/rates`, 'shipping_rate', { price: 5, rates_name_id })
    const { body: name } = await tenant.api.get(`/shipping/rates/names/${rates_name_id}`)
    expect(rate).to.include({ price: '5.00', price_currency: 'usd', zone_id: alaska.id, description: name.name })
    const listed = await tenant.api.get(`/shipping/zones/${alaska.id}/rates`)
    expect(listed.body).to.deep.equal([rate])
    expect((await tenant.api.delete(`/shipping/rates/names/${rates_name_id}`)).status).to.equal(422)
    expect((await tenant.api.delete(`/shipping/zones/${alaska.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/shipping/rates/${rate.id}`)).status).to.equal(404)
    expect((await tenant.api.delete(`/shipping/rates/names/${rates_name_id}`)).status).to.equal(204)
    expect((await tenant.api.get(zones)).body.map(({ id }: { id: number }) => id)).to.deep.equal([zone.id])
  })

  it('rates are in the currency of the workspace', async () => {
    const id = await recordMakers['shipping/rate']!.make(tenant)
    const change = (fields: object) => changed(`/shipping/rates/${id}`, 'shipping_rate', fields)
    expect((await change({ price: '7.5', price_currency: 'USD' })).price).to.equal('7.50')
    expect(await change({ price_currency: 'EUR' })).to.deep.equal(says("Price currency must be usd, the workspace's"))
    expect(await change({ price: '1.001' })).to.deep.equal(says('Price must be an amount with at most 2 decimals'))
    expect(await change({ price: '-1' })).to.deep.equal(says('Price must be greater than or equal to 0'))
  })

  it('quotes come from the profiles of the variants; live rates stay out of them', async () => {
    const { background } = await testService()
    const variant = await recordMakers['products/variant']!.make(tenant)
    const group = await groupOf((await profileOf({ variant_ids: [variant] })).id)
    const zone = await zoneIn(group.id, { region_ids: ['US-AK'] })
    const rates_name_id = await recordMakers['shipping/rates/name']!.make(tenant)
    const priced = (fields: object) =>
      made(`/shipping/zones/${zone.id}/rates`, 'shipping_rate', { rates_name_id, ...fields })
    await priced({ price: '1.00', live_rates_provider: 'Shippo' })
    const { id, description } = await priced({ price: '12.34' })
    const options = async (workspaceId: number) => {
      const read = readerOver(boundTo(background.stores.readModels.live, { workspaceId }))
      return quote([variant], await profilesOf([variant], read), destinationOf('US', 'Alaska'))
    }
    expect(await options(tenant.workspaceId)).to.deep.equal([{ id: String(id), name: description, amount: 1234n }])
    expect(await options(tenant.workspaceId + 1)).to.deep.equal([{ id: 'free', name: null, amount: 0n }])
  })

  it('a rate that is made again under one key is made once, in the stream of its profile', async () => {
    const zone = await recordMakers['shipping/zone']!.make(tenant)
    const rates_name_id = await recordMakers['shipping/rates/name']!.make(tenant)
    const headers = { 'Idempotency-Key': `rate-${zone}` }
    const make = () =>
      tenant.api.post(`/shipping/zones/${zone}/rates`, { shipping_rate: { price: 3, rates_name_id } }, { headers })
    const [first, again] = [await make(), await make()]
    expect([again.status, again.headers.get('idempotency-replayed')]).to.deep.equal([201, 'true'])
    expect(again.body).to.deep.equal(first.body)
    expect((await tenant.api.get(`/shipping/zones/${zone}/rates`)).body).to.deep.equal([first.body])
  })

  const SERVED = [
    ['fulfillment', '/fulfillments', 'fulfillment'],
    ['fulfillments/location', '/fulfillments/locations', 'fulfillments_location'],
    ['fulfillments/stock', '/fulfillments/stocks', 'fulfillments_stock'],
    ['shipping/profile', '/shipping/profiles', 'shipping_profile'],
    ['shipping/zone', '/shipping/zones', 'shipping_zone'],
    ['shipping/rate', '/shipping/rates', 'shipping_rate'],
    ['shipping/package', '/shipping/packages', 'shipping_package'],
    ['store', '/stores', 'store'],
  ] as const
  for (const [resource, path, root] of SERVED)
    it(`${resource}: what was read can be sent back, and changes nothing`, async () => {
      const at = `${path}/${await recordMakers[resource]!.make(tenant)}`
      const { body: read } = await tenant.api.get(at)
      expect(await changed(at, root, read)).to.deep.equal(read)
    })
})
