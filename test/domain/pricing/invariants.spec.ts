import { expect } from 'chai'
import fc from 'fast-check'
import { allocate } from '../../../domain/pricing/allocate.ts'
import { type Charged, type PricedCart, priceCart } from '../../../domain/pricing/public.ts'
import { isFor } from '../../../domain/pricing/scope.ts'
import { carts } from './carts.ts'

const RUNS = { numRuns: 500 }
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n)
const parts = ({ lines, shipping }: PricedCart): readonly Charged[] => [...lines, shipping]

describe('pricing of any cart', () => {
  it('never makes an amount negative, and discounts no more than the amount', () =>
    fc.assert(
      fc.property(carts, (cart) => {
        for (const { subtotal, discount, net, tax } of parts(priceCart(cart))) {
          expect(discount >= 0n && discount <= subtotal && net >= 0n && tax >= 0n).to.equal(true)
          expect(net).to.equal(subtotal - discount)
        }
      }),
      RUNS,
    ))

  it('adds up: lines, shipping and taxes to the total, discounts to what was taken, reasons to everything', () =>
    fc.assert(
      fc.property(carts, (cart) => {
        const priced = priceCart(cart)
        const { totals, reasons, lines, shipping } = priced
        expect(totals.total).to.equal(sum(lines.map(({ net }) => net)) + totals.shipping + totals.tax)
        expect(totals.subtotal).to.equal(sum(lines.map(({ subtotal }) => subtotal)))
        expect(totals.discount).to.equal(sum(parts(priced).map(({ discount }) => discount)))
        expect(totals.tax).to.equal(sum(parts(priced).map(({ tax }) => tax)))
        expect(totals.shipping).to.equal(shipping.net)
        expect(sum(reasons.map(({ amount }) => amount))).to.equal(totals.total)
        for (const { key, net, tax } of lines) {
          const own = reasons.filter(({ line }) => line === key)
          expect(sum(own.map(({ amount }) => amount))).to.equal(net + tax)
        }
      }),
      RUNS,
    ))

  it('says of every discount what it takes, within its scope and its cap, or why it takes nothing', () =>
    fc.assert(
      fc.property(carts, (cart) => {
        const { reasons, unused } = priceCart(cart)
        for (const discount of cart.discounts) {
          const own = reasons.filter((reason) => reason.what === 'discount' && reason.discount_id === discount.id)
          expect(own.length > 0).to.equal(unused.every(({ discount_id }) => discount_id !== discount.id))
          expect(own.every(({ amount }) => amount < 0n)).to.equal(true)
          const cap = discount.discounts_per_redemption
          if (discount.discount_method === 'shipping') expect(own.every(({ line }) => line === null)).to.equal(true)
          else if (cap !== null) expect(own.length).to.be.at.most(cap)
          for (const { line } of own.filter((reason) => reason.line !== null))
            expect(cart.lines.some((one) => one.key === line && isFor(discount, one))).to.equal(true)
        }
      }),
      RUNS,
    ))

  it('has the same result in any order of lines and discounts', () =>
    fc.assert(
      fc.property(
        carts.chain((cart) =>
          fc.record({
            cart: fc.constant(cart),
            lines: fc.shuffledSubarray([...cart.lines], { minLength: cart.lines.length }),
            discounts: fc.shuffledSubarray([...cart.discounts], { minLength: cart.discounts.length }),
          }),
        ),
        ({ cart, lines, discounts }) => {
          const [one, other] = [priceCart(cart), priceCart({ ...cart, lines, discounts })]
          expect(other.totals).to.deep.equal(one.totals)
          expect(other.unused).to.deep.equal(one.unused)
          expect(new Map(other.lines.map((line) => [line.key, line]))).to.deep.equal(
            new Map(one.lines.map((line) => [line.key, line])),
          )
        },
      ),
      RUNS,
    ))

  it('shares out all of an amount, no further than a unit from what is due', () =>
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 14n),
        fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 1, maxLength: 20 }),
        fc.bigInt(1n, 10n ** 12n),
        (amount, more, first) => {
          const shares = [first, ...more].map((weight, index) => ({ key: String(index), weight }))
          const whole = sum(shares.map(({ weight }) => weight))
          const got = allocate(amount, shares)
          expect(sum([...got.values()])).to.equal(amount)
          for (const { key, weight } of shares) {
            const off = got.get(key)! * whole - amount * weight
            expect(off < whole && off > -whole).to.equal(true)
            if (amount <= whole) expect(got.get(key)! <= weight).to.equal(true)
          }
        },
      ),
      RUNS,
    ))
})
