import { expect } from 'chai'
import { cartClaims } from '../../../domain/orders/checkout/rules.ts'

describe('the claims of a checkout', () => {
  const claimed = (cart: string | null, status: string) =>
    cartClaims({ cart, attempt: 2, status } as Parameters<typeof cartClaims>[0]).map(({ scope, value }) => [
      scope,
      value,
    ])

  it('hold the cart of a page until it is compensated, and its attempt for ever', () => {
    const made = ['orders/checkout.attempt', '7:cart/2']
    const held = ['orders/checkout.cart', '7:cart']
    for (const status of ['going', 'undoing', 'completed'])
      expect(claimed('7:cart', status)).to.deep.equal([made, held])
    expect(claimed('7:cart', 'undone')).to.deep.equal([made])
  })

  it('are none where no page began it', () => {
    expect(claimed(null, 'going')).to.deep.equal([])
  })
})
