import { expect } from 'chai'
import { cartClaims } from '../../../domain/orders/checkout/rules.ts'

describe('the claims of a checkout', () => {
  const claimed = (cart: string | null, status: string, more: object = { action: null }) =>
    cartClaims({ cart, attempt: 2, status, done: [], ...more } as unknown as Parameters<typeof cartClaims>[0]).map(
      ({ scope, value }) => [scope, value],
    )

  it('hold the cart of a page until it is compensated, and its attempt for ever', () => {
    const made = ['orders/checkout.attempt', '7:cart/2']
    const held = ['orders/checkout.cart', '7:cart']
    for (const status of ['going', 'undoing', 'completed'])
      expect(claimed('7:cart', status)).to.deep.equal([made, held])
    expect(claimed('7:cart', 'undone')).to.deep.equal([made])
  })

  it('13a 61: leave the cart where nothing is left but to watch a charge that the gateway cannot cancel', () => {
    const isHeld = (status: string, more: object) => claimed('7:cart', status, more).length === 2
    const asked = { step: 'charge', action: { url: 'https://bank.example' } }
    expect(isHeld('undoing', asked)).to.equal(false)
    for (const [status, more] of [
      ['going', asked],
      ['undoing', { ...asked, step: 'stock' }],
      ['undoing', { ...asked, done: ['confirm'] }],
      ['undoing', { ...asked, action: { client_secret: 'x' } }],
    ] as const)
      expect(isHeld(status, more), JSON.stringify(more)).to.equal(true)
  })

  it('hold what the visitor buys as long as the cart, where it is known', () => {
    const bought = { action: null, purchase: 'visitor 7, mug, after 12' }
    const purchase = ['orders/checkout.purchase', 'visitor 7, mug, after 12']
    for (const status of ['going', 'undoing', 'completed'])
      expect(claimed('7:cart', status, bought)).to.deep.equal([...claimed('7:cart', status), purchase])
    expect(claimed('7:cart', 'undone', bought)).to.deep.equal(claimed('7:cart', 'undone'))
    expect(claimed('7:cart', 'going', { ...bought, purchase: null })).to.deep.equal(claimed('7:cart', 'going'))
  })

  it('are none where no page began it', () => {
    expect(claimed(null, 'going')).to.deep.equal([])
  })
})
