import { expect } from 'chai'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

describe('the catalogue over REST', () => {
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
  const product = (fields: object = {}) => made(`${workspace}/products`, 'product', { name: 'Shirt', ...fields })
  const price = (variantId: number, fields: object = {}) =>
    made(`/products/variants/${variantId}/prices`, 'products_price', { amount: 97, ...fields })
  const refused = async (path: string, root: string, fields: object) => {
    const { status, body } = await tenant.api.post(path, { [root]: fields })
    return [status, body.error]
  }

  it('begins a product with a default variant, and makes a path of its own', async () => {
    const one = await product({ name: 'Red Shirt' })
    const two = await product({ name: 'Red Shirt' })
    expect([one.current_path, one.archived, one.price_ids]).to.deep.equal(['/red-shirt', false, []])
    expect(two.current_path).to.match(/^\/red-shirt-[a-z0-9]{6}$/)
    expect(one.variant_ids).to.deep.equal([one.default_variant_id])
    const { body } = await tenant.api.get(`/products/variants/${one.default_variant_id}`)
    expect(body).to.include({ default: true, name: 'Red Shirt', product_type: 'digital', weight_unit: 'kg' })
  })

  it('names variants by their values, which cover every property and are no others again', async () => {
    const shirt = await product({ variant_properties: ['Size', { name: 'Colour' }] })
    const [size, colour] = shirt.variant_properties
    expect([size.name, colour.name]).to.deep.equal(['Size', 'Colour'])
    const values = (a: string, b: string) => [
      { property_id: size.id, value: a },
      { property_id: colour.id, value: b },
    ]
    const path = `/products/${shirt.id}/variants`
    const large = await made(path, 'products_variant', { properties_values: values('L', 'Navy  blue') })
    expect([large.name, large.default, large.product_type]).to.deep.equal(['Shirt - L / Navy blue', false, 'digital'])
    expect(await refused(path, 'products_variant', { properties_values: values('l ', 'navy blue') })).to.deep.equal([
      422,
      'Request unprocessable: Properties values have already been taken',
    ])
    expect(await refused(path, 'products_variant', { sku: 'x' })).to.deep.equal([
      422,
      'Request unprocessable: Properties values must have one value for every property of the product',
    ])
    await made(path, 'products_variant', { properties_values: values('M', 'Red') })
    const put = (variant_properties: object[]) =>
      tenant.api.put(`/products/${shirt.id}`, { product: { variant_properties } })
    expect((await put([{ id: size.id, name: 'Size' }])).status).to.equal(422)
    const renamed = await put([{ id: size.id, name: 'Width' }, colour, { name: 'Fit' }])
    expect(renamed.body.variant_properties.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Width',
      'Colour',
      'Fit',
    ])
    await tenant.api.put(`/products/variants/${shirt.default_variant_id}`, {
      products_variant: { product_type: 'physical', weight_unit: 'g' },
    })
    const { body } = await tenant.api.get(`/products/variants/${large.id}`)
    expect([body.product_type, body.weight_unit, body.sku]).to.deep.equal(['physical', 'g', null])
  })

  it('completes prices, and names all faults of one', async () => {
    const { default_variant_id: variantId } = await product()
    const path = `/products/variants/${variantId}/prices`
    const once = await price(variantId, { currency: 'eur', interval: 'months', trial_interval: 'days' })
    expect(once).to.include({ amount: '97.00', cost: '0.00', trial_amount: '0.00', payment_type: 'one_time' })
    expect([once.currency, once.interval, once.trial_interval]).to.deep.equal(['usd', null, null])
    const again = { payment_type: 'subscription', interval: 'months' }
    const trial = await price(variantId, { ...again, interval_count: '3', trial_interval: 'days', trial_duration: 0 })
    expect([trial.interval_count, trial.trial_interval]).to.deep.equal([3, null])
    expect(await refused(path, 'products_price', { amount: 1, ...again, interval: 'month' })).to.deep.equal([
      422,
      'Request unprocessable: Interval is not included in the list',
    ])
    expect(await refused(path, 'products_price', { name: 'Nothing' })).to.deep.equal([
      422,
      "Request unprocessable: Amount can't be blank; Amount is not a number",
    ])
    expect((await refused(path, 'products_price', { amount: '1.005' }))[0]).to.equal(422)
  })

  it('lists the prices of all variants of a product, or of some', async () => {
    const shirt = await product({ variant_properties: ['Size'] })
    const properties_values = [{ property_id: shirt.variant_properties[0].id, value: 'L' }]
    const large = await made(`/products/${shirt.id}/variants`, 'products_variant', { properties_values })
    const one = await price(shirt.default_variant_id)
    const two = await price(large.id, { archived: true })
    const ids = async (query = '') =>
      (await tenant.api.get(`/products/${shirt.id}/prices${query}`)).body.map(({ id }: { id: number }) => id)
    expect(await ids()).to.deep.equal([one.id, two.id])
    expect(await ids(`?filter[variant_id]=${large.id}`)).to.deep.equal([two.id])
    expect(await ids('?filter[archived]=false')).to.deep.equal([one.id])
    expect((await tenant.api.get(`/products/${shirt.id}`)).body.price_ids).to.deep.equal([one.id, two.id])
    expect((await tenant.api.get(`/products/variants/${large.id}`)).body.price_ids).to.deep.equal([two.id])
  })

  it('archives only what is not live and on no live funnel', async () => {
    const shown = await product({ visible_in_store: true })
    const archive = async (id: number, what = 'archive') => {
      const { status, body } = await tenant.api.post(`/products/${id}/${what}`, undefined)
      return [status, body.archived ?? body.error]
    }
    const live = [422, "Request unprocessable: A product can only be archived if it's not in the live state."]
    expect(await archive(shown.id)).to.deep.equal(live)
    const hidden = await product()
    expect((await archive(hidden.id, 'unarchive'))[0]).to.equal(409)
    const funnelId = await recordMakers.funnel!.make(tenant)
    const page = await made(`${workspace}/pages`, 'page', {
      name: 'Checkout',
      funnel: { funnel_id: funnelId },
      show_page_step: { product_ids: [hidden.id] },
    })
    expect(page.show_page_step.products.map(({ id }: { id: number }) => id)).to.deep.equal([hidden.id])
    await tenant.api.put(`/funnels/${funnelId}`, { funnel: { live_mode: true } })
    expect(await archive(hidden.id)).to.deep.equal(live)
    await tenant.api.put(`/funnels/${funnelId}`, { funnel: { live_mode: false } })
    expect(await archive(hidden.id)).to.deep.equal([200, true])
    expect((await archive(hidden.id))[0]).to.equal(409)
    expect(await archive(hidden.id, 'unarchive')).to.deep.equal([200, false])
  })

  it('accepts as a bump only a variant with a sellable price', async () => {
    const extra = await product()
    const page = await made(`${workspace}/pages`, 'page', {
      name: 'Checkout',
      funnel: { funnel_id: await recordMakers.funnel!.make(tenant) },
    })
    const attach = () =>
      tenant.api.put(`/pages/${page.id}`, { page: { show_page_step: { bumps: [{ product_id: extra.id }] } } })
    expect((await attach()).status).to.equal(422)
    const sold = await price(extra.default_variant_id)
    await tenant.api.put(`/products/prices/${sold.id}`, { products_price: { archived: true } })
    expect((await attach()).status).to.equal(422)
    await tenant.api.put(`/products/prices/${sold.id}`, { products_price: { archived: false } })
    const { body } = await attach()
    expect(body.show_page_step.products).to.deep.include.members([
      { id: extra.id, public_id: extra.public_id, name: 'Shirt', bump: true, bump_preheadline: null },
    ])
  })

  it('removes a deleted tag from products', async () => {
    const tag = await made(`${workspace}/products/tags`, 'products_tag', { name: 'Summer' })
    const { id } = await product({ tag_ids: [tag.id] })
    expect((await tenant.api.delete(`/products/tags/${tag.id}`)).status).to.equal(204)
    const tags = async () => (await tenant.api.get(`/products/${id}`)).body.tag_ids
    for (let tries = 0; tries < 500 && (await tags()).length > 0; tries++) await new Promise((go) => setTimeout(go, 10))
    expect(await tags()).to.deep.equal([])
  })

  it('shows the prices that a subscription may move to, by variant', async () => {
    const shirt = await product()
    const variantId = shirt.default_variant_id
    const [from, to] = [await price(variantId), await price(variantId, { key: 'gold' })]
    const options = async () =>
      (await tenant.api.get(`/products/prices/${from.id}/change_options`)).body.products_prices_change_options
    expect(await options()).to.deep.equal({ upgrade: [], downgrade: [] })
    const { status } = await tenant.api.put(`/products/variants/${variantId}/change_options`, {
      products_variant: { upgrade_price_ids: [to.id] },
    })
    expect(status).to.equal(200)
    const { upgrade, downgrade } = await options()
    expect(downgrade).to.deep.equal([])
    expect(upgrade[0].products_variant).to.include({ id: variantId, product_id: shirt.id })
    expect(upgrade[0].products_variant.prices).to.deep.equal([
      {
        id: to.id,
        public_id: to.public_id,
        name: null,
        key: 'gold',
        amount: '97.00',
        currency: 'usd',
        duration: null,
        interval: null,
        interval_count: null,
      },
    ])
  })

  it('keeps the products of a collection as they are sent, and refuses those that are not there', async () => {
    const [a, b] = [await product(), await product()]
    const path = `${workspace}/products/collections`
    const shelf = await made(path, 'products_collection', { name: 'New', product_ids: [b.id, a.id] })
    expect(shelf).to.include({ collection_type: 'manual', sort_method: 'manually', seo_indexable: 'true' })
    expect(shelf.product_ids).to.deep.equal([b.id, a.id])
    const put = (product_ids: number[]) =>
      tenant.api.put(`/products/collections/${shelf.id}`, { products_collection: { product_ids } })
    expect((await put([a.id, 2_000_000_000])).status).to.equal(422)
    expect((await put([])).body.product_ids).to.deep.equal([])
  })
})
