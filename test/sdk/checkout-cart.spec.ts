import { expect } from 'chai'
import { emptyCart, lineProblem, withQuantity } from '../../sdk/checkout/cart.ts'

describe('cart of a page', () => {
  it('sets quantities, keeps the places of lines, and removes a line by 0', () => {
    const cart = [withQuantity('v1', 'p1', 1), withQuantity('v2', 'p2', 1), withQuantity('v1', 'p1', 3)].reduce(
      (before, edit) => edit(before),
      emptyCart('c1'),
    )
    expect(cart.lines.map(({ variant_id, quantity }) => [variant_id, quantity])).to.deep.equal([
      ['v1', 3],
      ['v2', 1],
    ])
    expect(withQuantity('v1', 'p1', 0)(cart).lines.map(({ variant_id }) => variant_id)).to.deep.equal(['v2'])
  })

  it('51: knows no quantities but whole ones from 0', () => {
    for (const wrong of [-1, 1.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY, '2', null, undefined])
      expect(lineProblem('v1', 'p1', wrong), String(wrong)).to.be.a('string')
    for (const wrong of ['', undefined, 7, 'x'.repeat(101)]) expect(lineProblem(wrong, 'p1', 1)).to.be.a('string')
    expect(lineProblem('v1', 'p1', 0)).to.equal(undefined)
  })
})
