import { expect } from 'chai'
import { type Cart, priceCart } from '../../../domain/pricing/public.ts'
import { discountOf, lineOf } from './carts.ts'

const cartOf = (more: Partial<Cart> = {}): Cart => ({
  lines: [lineOf('a')],
  discounts: [],
  shipping: 0n,
  currency: 'USD',
  ...more,
})
const discountsOf = (cart: Cart) =>
  Object.fromEntries(priceCart(cart).lines.map(({ key, discount }) => [key, Number(discount)]))

describe('pricing', () => {
  it('of a cart without anything is its lines and shipping', () => {
    const { totals, reasons } = priceCart(cartOf({ lines: [lineOf('a', { quantity: 3 })], shipping: 500n }))
    expect(totals).to.deep.equal({ subtotal: 3000n, discount: 0n, shipping: 500n, tax: 0n, total: 3500n })
    expect(reasons).to.deep.equal([
      { what: 'price', line: 'a', amount: 3000n },
      { what: 'shipping', line: null, amount: 500n },
    ])
    expect(priceCart(cartOf({ lines: [] })).totals.total).to.equal(0n)
  })

  it('shares a fixed discount out by largest remainder', () => {
    const lines = [lineOf('a', { unit: 100n }), lineOf('b', { unit: 100n }), lineOf('c', { unit: 100n })]
    const fixed = discountOf({ discount_method: 'fixed', percent: null, amount: '1.00' })
    expect(discountsOf(cartOf({ lines, discounts: [fixed] }))).to.deep.equal({ a: 34, b: 33, c: 33 })
    const ten = discountOf({ discount_method: 'fixed', percent: null, amount: '10.00' })
    expect(priceCart(cartOf({ lines, discounts: [ten] })).totals).to.include({ discount: 300n, total: 0n })
  })

  it('rounds a percentage once, half a unit up', () => {
    const lines = [lineOf('a', { unit: 5n }), lineOf('b', { unit: 10n })]
    expect(priceCart(cartOf({ lines, discounts: [discountOf({ percent: '10.0' })] })).totals.discount).to.equal(2n)
    expect(priceCart(cartOf({ lines, discounts: [discountOf({ percent: '3.33' })] })).totals.discount).to.equal(0n)
  })

  it('takes a discount off what it is for', () => {
    const lines = [
      lineOf('a', { product_id: 1, variant_id: 11, collection_ids: [7] }),
      lineOf('b', { product_id: 2, variant_id: 21, collection_ids: [7, 8] }),
      lineOf('c', { product_id: 3, variant_id: 31 }),
    ]
    const by = (more: Parameters<typeof discountOf>[0]) => discountsOf(cartOf({ lines, discounts: [discountOf(more)] }))
    expect(by({ applies_to: 'specific_products', product_ids: [1, 3] })).to.deep.equal({ a: 100, b: 0, c: 100 })
    expect(by({ applies_to: 'specific_variants', variant_ids: [21] })).to.deep.equal({ a: 0, b: 100, c: 0 })
    expect(by({ applies_to: 'specific_collections', products_collection_ids: [7] })).to.deep.equal({
      a: 100,
      b: 100,
      c: 0,
    })
    const none = discountOf({ applies_to: 'specific_products', product_ids: [9] })
    expect(priceCart(cartOf({ lines, discounts: [none] })).unused).to.deep.equal([{ discount_id: 1, why: 'scope' }])
  })

  it('asks for a minimum in whole units of the currency, of the whole cart', () => {
    const ask = (currency: string, unit: bigint, minimum: number) => {
      const discount = discountOf({ currency, require_minimum_spend: true, require_minimum_spend_amount: minimum })
      return priceCart(cartOf({ lines: [lineOf('a', { unit })], discounts: [discount], currency })).unused
    }
    const short = [{ discount_id: 1, why: 'minimum_spend' }]
    expect([ask('USD', 4999n, 50), ask('USD', 5000n, 50)]).to.deep.equal([short, []])
    expect([ask('JPY', 49n, 50), ask('JPY', 50n, 50)]).to.deep.equal([short, []])
    expect([ask('KWD', 49_999n, 50), ask('KWD', 50_000n, 50)]).to.deep.equal([short, []])
  })

  it('takes no amount of another currency, but a percentage', () => {
    const fixed = discountOf({ discount_method: 'fixed', percent: null, amount: '5.00', currency: 'eur' })
    const least = discountOf({
      id: 2,
      currency: 'eur',
      require_minimum_spend: true,
      require_minimum_spend_amount: 1,
    })
    const percent = discountOf({ id: 3, currency: 'eur' })
    expect(priceCart(cartOf({ discounts: [fixed, least, percent] }))).to.deep.include({
      unused: [
        { discount_id: 2, why: 'currency' },
        { discount_id: 1, why: 'currency' },
      ],
      reasons: [
        { what: 'price', line: 'a', amount: 1000n },
        { what: 'discount', line: 'a', discount_id: 3, amount: -100n },
      ],
    })
  })

  it('discounts so many lines, those that it is worth the most on', () => {
    const lines = [lineOf('a'), lineOf('b', { unit: 3000n }), lineOf('c', { quantity: 2 })]
    const discounts = [discountOf({ discounts_per_redemption: 2 })]
    expect(discountsOf(cartOf({ lines, discounts }))).to.deep.equal({ a: 0, b: 300, c: 200 })
  })

  it('gives every other piece, the cheapest, or a part of it', () => {
    const lines = [lineOf('a', { unit: 900n, quantity: 2 }), lineOf('b', { unit: 300n }), lineOf('c', { unit: 500n })]
    const bogo = (more = {}) =>
      discountsOf(cartOf({ lines, discounts: [discountOf({ discount_method: 'bogo', percent: null, ...more })] }))
    expect(bogo()).to.deep.equal({ a: 0, b: 300, c: 500 })
    expect(bogo({ percent: '50' })).to.deep.equal({ a: 0, b: 150, c: 250 })
    expect(bogo({ amount: '4.00' })).to.deep.equal({ a: 0, b: 150, c: 250 })
    expect(bogo({ discounts_per_redemption: 1 })).to.deep.equal({ a: 0, b: 0, c: 500 })
    const one = priceCart(cartOf({ discounts: [discountOf({ discount_method: 'bogo', percent: null })] }))
    expect(one.unused).to.deep.equal([{ discount_id: 1, why: 'nothing_left' }])
  })

  it('takes shipping off, or a part or an amount of it, when something in scope is sent', () => {
    const ship = (more = {}) => {
      const discount = discountOf({ discount_method: 'shipping', percent: null, ...more })
      return Number(priceCart(cartOf({ discounts: [discount], shipping: 800n })).shipping.net)
    }
    expect([ship(), ship({ percent: '25' }), ship({ amount: '3.00' }), ship({ amount: '9.00' })]).to.deep.equal([
      0, 600, 500, 0,
    ])
    expect(ship({ applies_to: 'specific_products', product_ids: [2] })).to.equal(800)
  })

  it('lets discounts follow each other: free pieces, percentages, amounts, each by id', () => {
    const lines = [lineOf('a', { quantity: 2 })]
    const discounts = [
      discountOf({ id: 1, discount_method: 'fixed', percent: null, amount: '1.00' }),
      discountOf({ id: 3, percent: '50' }),
      discountOf({ id: 2, percent: '10' }),
      discountOf({ id: 4, discount_method: 'bogo', percent: null }),
    ]
    const taken = priceCart(cartOf({ lines, discounts })).reasons.flatMap((reason) =>
      reason.what === 'discount' ? [[reason.discount_id, Number(reason.amount)]] : [],
    )
    expect(taken).to.deep.equal([
      [4, -1000],
      [2, -100],
      [3, -450],
      [1, -100],
    ])
  })

  it('adds taxes to what is left of each line, each rounded by itself, and names them', () => {
    const lines = [lineOf('a', { unit: 999n }), lineOf('b', { product_id: 2 })]
    const vat = { key: 'vat', percent: '19' }
    const tax: Cart['tax'] = (on) =>
      on === 'shipping' ? [vat] : on.product_id === 1 ? [vat, { key: 'city', percent: '0.5' }] : []
    const { totals, reasons } = priceCart(cartOf({ lines, discounts: [discountOf()], shipping: 100n, tax }))
    expect(reasons.filter(({ what }) => what === 'tax')).to.deep.equal([
      { what: 'tax', line: 'a', tax_rate: 'vat', amount: 171n },
      { what: 'tax', line: 'a', tax_rate: 'city', amount: 4n },
      { what: 'tax', line: null, tax_rate: 'vat', amount: 19n },
    ])
    expect(totals).to.deep.equal({ subtotal: 1999n, discount: 200n, shipping: 100n, tax: 194n, total: 2093n })
  })

  it('adds no tax to what is not taxable', () => {
    const tax: Cart['tax'] = () => [{ key: 'vat', percent: '10' }]
    const lines = [lineOf('a', { taxable: false }), lineOf('b', { taxable: true }), lineOf('c')]
    expect(priceCart(cartOf({ lines, tax })).lines.map((line) => Number(line.tax))).to.deep.equal([0, 100, 100])
  })

  it('refuses carts that cannot be', () => {
    const price = (more: Partial<Cart>) => () => priceCart(cartOf(more))
    expect(price({ lines: [lineOf('a'), lineOf('a')] })).to.throw(RangeError, 'one key')
    expect(price({ lines: [lineOf('a', { quantity: 0 })] })).to.throw(RangeError)
    expect(price({ lines: [lineOf('a', { unit: -1n })] })).to.throw(RangeError)
    expect(price({ shipping: -1n })).to.throw(RangeError)
    expect(price({ discounts: [discountOf({ percent: 'x' })] })).to.throw(RangeError, 'x is no percentage')
    const fine = discountOf({ discount_method: 'fixed', amount: '0.001' })
    expect(price({ discounts: [fine] })).to.throw(RangeError, '0.001 is no discount in usd')
  })
})
