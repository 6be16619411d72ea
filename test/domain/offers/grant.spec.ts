import { expect } from 'chai'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { cartOfGrant, grants } from '../../../domain/offers/grant.ts'
import { ask, given, ROOT, stateAfter } from '../../support/decider.ts'

const granted: DomainEvent = {
  type: 'OfferGranted',
  data: {
    ...{ session_id: 5, page_id: 6, show_page_step_id: 7, checkout_id: 8 },
    expires_at: '2026-05-06T10:30:00.000Z',
  },
}
const declined: DomainEvent = { type: 'OfferDeclined', data: { declined_at: '2026-05-06T10:10:00.000Z' } }

describe('a grant of an offer', () => {
  it('is declined once', () => {
    given(grants, granted, declined).when(ask('decline')).thenNothing()
  })

  it('takes the cart of a purchase when it is declined, so that only one of the two happens', () => {
    const claimsOf = (...events: readonly DomainEvent[]) =>
      grants.claims(stateAfter(grants, events)).map(({ scope, value }) => [scope, value])
    const once = ['offers/grant.checkout', '8/7']
    expect(claimsOf(granted)).to.deep.equal([once])
    expect(claimsOf(granted, declined)).to.deep.equal([once, ['orders/checkout.cart', cartOfGrant(ROOT)]])
  })
})
