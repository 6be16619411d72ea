import { expect } from 'chai'
import { redemptions } from '../../../domain/store/discount/redemption.ts'
import { ask, given, stateAfter, WORKSPACE } from '../../support/decider.ts'

const wanted = { discount_id: 5, contact_id: 9 }
const discount = {
  id: 5,
  workspace_id: WORKSPACE,
  apply_from: '2026-01-01T00:00:00.000Z',
  apply_until: null,
  limit_1_per_customer: true,
}
const reserved = (once = true) => ({ type: 'DiscountReserved', data: { ...wanted, order_id: null, once } })
const redeemed = { type: 'DiscountRedeemed', data: { order_id: 77 } }
const released = { type: 'DiscountReleased', data: {} }

describe('redemption of a discount', () => {
  const reserve = (more: object = {}) => given(redemptions).when(ask('create', wanted), { ...discount, ...more })

  it('is reserved while the discount is active', () => {
    reserve().then(reserved())
    reserve({ limit_1_per_customer: false }).then(reserved(false))
    given(redemptions).when(ask('create', wanted), undefined).refuses('invalid', 'Discount code is not valid')
    reserve({ apply_from: '2026-04-01T00:00:00.000Z' }).refuses('invalid', 'Discount is not active yet')
    reserve({ apply_until: '2026-03-01T09:00:00.000Z' }).refuses('invalid', 'Discount has expired')
  })

  it('is redeemed or released, and has no events when repeated', () => {
    const redeem = ask('redeem', { order_id: 77 })
    given(redemptions, reserved()).when(redeem).then(redeemed)
    given(redemptions, reserved(), redeemed).when(redeem).thenNothing()
    given(redemptions, reserved(), released).when(redeem).refuses('conflict', 'The discount has been released')
    given(redemptions, reserved()).when(ask('release')).then(released)
    given(redemptions, reserved(), redeemed).when(ask('release')).then(released)
    given(redemptions, reserved(), released).when(ask('release')).thenNothing()
  })

  it('of a discount for once holds it for the contact until it is released', () => {
    const claims = (...events: Parameters<typeof stateAfter>[1]) =>
      redemptions.claims(stateAfter(redemptions, events)).map(({ scope, value }) => `${scope} ${value}`)
    expect(claims(reserved())).to.deep.equal(['discounts/redemption.contact:5 9'])
    expect(claims(reserved(), redeemed)).to.deep.equal(['discounts/redemption.contact:5 9'])
    expect(claims(reserved(), released)).to.deep.equal([])
    expect(claims(reserved(false))).to.deep.equal([])
  })
})
