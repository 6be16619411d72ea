import { expect } from 'chai'
import { gatewayOfPages } from '../../../domain/funnels/funnel/checkout-settings.ts'

describe('the gateway of the pages of a funnel', () => {
  const account = (live_mode: boolean) => ({
    ...{ id: 7, live_mode, provider: 'stripe' as const, publishable_key: 'pk_test_1' },
  })
  const on = { checkout_enabled: true }

  it('is a live account while the funnel is live, and none without one', () => {
    const live = { ...on, live_mode: true }
    expect(gatewayOfPages(live, account(true))).to.deep.equal({ provider: 'stripe', accountId: 7, key: 'pk_test_1' })
    expect(gatewayOfPages(live, account(false))).to.equal(undefined)
    expect(gatewayOfPages(live, undefined)).to.equal(undefined)
  })

  it('is a test account in test mode, and the simulator in place of a live or missing one', () => {
    const test = { ...on, live_mode: false }
    const simulator = { provider: 'simulator', accountId: null, key: null }
    expect(gatewayOfPages(test, account(false))?.provider).to.equal('stripe')
    expect(gatewayOfPages(test, account(true))).to.deep.equal(simulator)
    expect(gatewayOfPages(test, undefined)).to.deep.equal(simulator)
  })

  it('is none where checkout is off', () => {
    expect(gatewayOfPages({ checkout_enabled: false, live_mode: false }, undefined)).to.equal(undefined)
  })
})
