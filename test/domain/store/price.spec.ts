import { expect } from 'chai'
import fc from 'fast-check'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { scaleOf } from '../../../domain/kernel/values/money.ts'
import { mostDecimals } from '../../../domain/payments/public.ts'
import { prices } from '../../../domain/store/price/rules.ts'
import { ask, given, stateAfter } from '../../support/decider.ts'

const facts = (currency = 'USD', isOrdered = false) => ({ variant: { id: 11, product_id: 3 }, currency, isOrdered })
const decide = (wanted: object, currency?: string) =>
  prices.decide(stateAfter(prices, []), ask('create', { variant_id: 11, ...wanted }), facts(currency))
const told = (wanted: object, currency?: string) => (decide(wanted, currency) as readonly DomainEvent[])[0]!.data

describe('price', () => {
  it('is one-time by default, and then has no interval', () => {
    const { payment_type, interval, interval_count, trial_duration } = told({
      amount: '5',
      interval: 'months',
      trial_duration: 3,
    })
    expect([payment_type, interval, interval_count, trial_duration]).to.deep.equal(['one_time', null, null, null])
  })

  it('is one-time when its payment type is changed to none', () => {
    const data = { variant_id: 11, product_id: 3, currency: 'usd', amount: '5.00', cost: '0.00', trial_amount: '0.00' }
    const monthly = { ...data, payment_type: 'subscription', interval: 'months', interval_count: 1 }
    given(prices, { type: 'PriceSet', data: monthly })
      .when(ask('change', { payment_type: null }), facts())
      .then({ type: 'PriceChanged', data: { payment_type: 'one_time', interval: null, interval_count: null } })
  })

  it('is no finer than the gateway of the workspace charges', () => {
    const asked = (amount: object, decimals?: number) =>
      prices.decide(stateAfter(prices, []), ask('create', { variant_id: 11, ...amount }), {
        ...facts('KWD'),
        ...(decimals !== undefined && { decimals }),
      })
    const saved = (amount: object, decimals?: number) => Array.isArray(asked(amount, decimals))
    expect(saved({ amount: '18.605' })).to.equal(true)
    expect(['18.60', '18.600', '18', '0'].map((amount) => saved({ amount }, 2))).to.deep.equal([true, true, true, true])
    expect(asked({ amount: '18.605' }, 2)).to.include({
      message: 'Amount can have at most 2 decimals, which is all that Stripe charges',
    })
    const monthly = { amount: '5', payment_type: 'subscription', interval: 'months' }
    expect(saved({ ...monthly, setup_amount: '0.001' }, 2)).to.equal(false)
    expect(saved({ ...monthly, compare_at_amount: '9.999', cost: '1.001' }, 2)).to.equal(true)
  })

  it('knows the decimals that gateways charge', () => {
    const known = ['KWD', 'BHD', 'JOD', 'OMR', 'TND', 'MGA', 'USD', 'JPY', 'ISK']
    expect(known.map((currency) => mostDecimals('stripe', currency))).to.deep.equal([
      ...[2, 2, 2, 2, 2, 0, undefined, undefined, undefined],
    ])
    expect(known.map((currency) => mostDecimals('payments_ai', currency))).to.deep.equal(known.map(() => undefined))
  })

  it('has a trial only with an interval and a duration', () => {
    const monthly = { amount: '5', payment_type: 'subscription', interval: 'months' }
    expect(told({ ...monthly, trial_duration: 3 })).to.include({ trial_interval: null, trial_duration: 3 })
    expect(told({ ...monthly, trial_interval: 'days' })).to.include({ trial_interval: null })
    expect(told({ ...monthly, trial_interval: 'days', trial_duration: 3 })).to.include({ trial_interval: 'days' })
  })

  it('names all faults at once', () => {
    given(prices)
      .when(ask('create', { payment_type: 'payment_plan', interval: 'month', amount: '-1' }), facts())
      .refuses(
        'invalid',
        'Amount must be greater than or equal to 0; Interval is not included in the list; Duration must be greater than 0',
      )
  })

  it('is frozen once a subscription uses it, except for its visibility', () => {
    const attributes = {
      payment_type: 'subscription',
      interval: 'months',
      interval_count: 1,
      amount: '5.00',
      cost: '0.00',
      trial_amount: '0.00',
    }
    const set = { type: 'PriceSet', data: { variant_id: 11, product_id: 3, currency: 'usd', ...attributes } }
    const change = (wanted: object, isOrdered = true) =>
      given(prices, set).when(ask('change', wanted), facts('USD', isOrdered))
    change({ amount: '6' }).refuses('invalid', 'Cannot edit a subscription price that is attached to an order.')
    change({ name: 'New' }).refuses('invalid', /attached/)
    change({ visible: false, archived: true }).then(
      { type: 'PriceChanged', data: { visible: false } },
      { type: 'PriceArchived', data: {} },
    )
    change({ name: 'New' }, false).then({ type: 'PriceChanged', data: { name: 'New' } })
    const once = { ...set, data: { ...set.data, payment_type: 'one_time', interval: null, interval_count: null } }
    given(prices, once)
      .when(ask('change', { name: 'New' }), facts('USD', true))
      .then({ type: 'PriceChanged', data: { name: 'New' } })
  })

  it('has amounts in the scale of its currency', () => {
    const currency = fc.constantFrom('USD', 'JPY', 'BHD', 'EUR', 'KRW')
    fc.assert(
      fc.property(currency, fc.nat(10_000_000), (code, minor) => {
        const scale = scaleOf(code)
        const amount = String(told({ amount: String(minor) }, code).amount)
        expect(amount).to.match(scale === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${scale}}$`))
        expect(Number(amount)).to.equal(minor)
        expect(told({ amount: '1' }, code).currency).to.equal(code.toLowerCase())
        const finer = `1.${'0'.repeat(scale)}1`
        given(prices)
          .when(ask('create', { variant_id: 11, amount: finer }), facts(code))
          .refuses('invalid', /decimals/)
      }),
    )
  })
})
