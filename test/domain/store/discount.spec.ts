import { expect } from 'chai'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { discounts } from '../../../domain/store/discount/rules.ts'
import { AT, ask, given, stateAfter } from '../../support/decider.ts'

const BEFORE = '2026-01-01T00:00:00.000Z'
const AFTER = '2026-12-31T00:00:00.000Z'
const APPLIED = { currency: 'USD', applied: true }
const FRESH = { currency: 'USD', applied: false }
const basic = { name: 'Spring', code: 'spring-26', percent: '20' }

const made = (wanted: object, currency = 'USD') =>
  given(discounts).when(ask('create', { ...basic, ...wanted }), { currency })
const told = (wanted: object, currency = 'USD') => {
  const decision = discounts.decide(stateAfter(discounts, []), ask('create', { ...basic, ...wanted }), { currency })
  return (decision as readonly DomainEvent[])[0]!.data
}
const created = (more: object = {}): DomainEvent => ({
  type: 'DiscountCreated',
  data: { ...told({ discounts_per_redemption: 2 }), apply_from: BEFORE, ...more },
})
const change = (wanted: object, facts: object = FRESH, more: object = {}) =>
  given(discounts, created(more)).when(ask('change', wanted), facts)

describe('discount', () => {
  it('takes a code in capitals, a percent with a decimal, and begins now in the currency of the workspace', () => {
    expect(told({})).to.include({
      code: 'SPRING-26',
      discount_type: 'code',
      discount_method: 'percentage',
      percent: '20.0',
      amount: null,
      currency: 'usd',
      applies_to: 'all_products',
      apply_from: AT,
      apply_until: null,
    })
    made({ code: '' }).refuses('invalid', "Coupon Code can't be blank")
    expect(told({ code: '', discount_type: 'automatic' })).to.include({ code: '' })
  })

  it('has a percent or an amount, as its method says', () => {
    for (const percent of [null, '0', '-5', '0.00'])
      made({ percent }).refuses('invalid', 'Percent must be greater than 0')
    made({ percent: '100.01' }).refuses('invalid', 'Percent must be less than or equal to 100')
    made({ percent: '0.001' }).refuses('invalid', 'Percent must have at most 2 decimals')
    expect([told({ percent: '100' }).percent, told({ percent: '0.01' }).percent]).to.deep.equal(['100.0', '0.01'])
    const fixed = { discount_method: 'fixed', amount: '5' }
    expect(told(fixed)).to.include({ amount: '5.00', percent: null })
    expect(told(fixed, 'JPY')).to.include({ amount: '5', currency: 'jpy' })
    expect(told({ ...fixed, currency: 'KWD' })).to.include({ amount: '5.000', currency: 'kwd' })
    for (const amount of [null, '0', '-1'])
      made({ ...fixed, amount }).refuses('invalid', 'Amount must be greater than 0')
    made({ ...fixed, amount: '0.001' }).refuses('invalid', 'Amount must be an amount with at most 2 decimals')
    expect(told({ discount_method: 'bogo', percent: null })).to.include({ percent: null, amount: null })
    made({ discount_method: 'shipping', amount: '5' }).refuses('invalid', 'Amount cannot be set beside percent')
  })

  it('keeps only the list of its scope', () => {
    const lists = { product_ids: [3, 3], variant_ids: [4], products_collection_ids: [5] }
    expect(told({ ...lists, applies_to: 'specific_products' })).to.deep.include({
      product_ids: [3],
      variant_ids: [],
      products_collection_ids: [],
    })
    expect(told(lists)).to.deep.include({ product_ids: [], variant_ids: [], products_collection_ids: [] })
  })

  it('asks for a minimum that is one', () => {
    const says = 'Require minimum spend amount must be greater than 0'
    made({ require_minimum_spend: true }).refuses('invalid', says)
    made({ require_minimum_spend: true, require_minimum_spend_amount: 0 }).refuses('invalid', says)
    expect(told({ require_minimum_spend: true, require_minimum_spend_amount: 50 })).to.include({
      require_minimum_spend_amount: 50,
    })
  })

  it('holds for a period that lies ahead', () => {
    const backwards = 'Apply until scheduled end date must be after the scheduled start date'
    made({ apply_from: AFTER, apply_until: AT }).refuses('invalid', backwards)
    made({ apply_until: AT }).refuses('invalid', backwards)
    change({ apply_until: '2026-02-01T00:00:00.000Z' }).refuses(
      'invalid',
      'Apply until scheduled end date must be in the future',
    )
    change({ apply_from: '2026-02-01T00:00:00.000Z' }).refuses(
      'invalid',
      'Apply from scheduled date cannot be changed since the date is in the past',
    )
    change({ apply_until: AFTER }).then({
      type: 'DiscountScheduled',
      data: { apply_from: BEFORE, apply_until: AFTER },
    })
    change({ apply_until: null }, FRESH, { apply_until: AFTER }).then({
      type: 'DiscountScheduled',
      data: { apply_from: BEFORE, apply_until: null },
    })
  })

  it('expires when it is asked to, with whatever else is asked, and before it has begun', () => {
    change({ expired: true, name: 'Over' }).then(
      { type: 'DiscountChanged', data: { name: 'Over' } },
      { type: 'DiscountExpired', data: {} },
    )
    change({ expired: true, apply_until: AFTER }).then({ type: 'DiscountExpired', data: {} })
    change({ expired: false }, FRESH, { apply_until: AFTER }).thenNothing()
    const scheduled = created({ apply_from: AFTER })
    const state = stateAfter(discounts, [scheduled, { type: 'DiscountExpired', data: {} }])
    expect(state.documents.discount?.get(1)).to.include({ apply_from: AT, apply_until: AT })
  })

  it('keeps its terms once it is applied, and can be renamed and expired', () => {
    const says = (label: string) => `${label} cannot be changed because it has already been applied`
    const changed: readonly (readonly [object, string])[] = [
      [{ percent: '25' }, 'Percent'],
      [{ discount_method: 'fixed', amount: '5' }, 'Amount'],
      [{ discount_method: 'bogo' }, 'Discount method'],
      [{ applies_to: 'specific_products' }, 'Applies to'],
      [{ apply_from: AFTER }, 'Apply from'],
      [{ product_ids: [3] }, 'Product ids'],
      [{ variant_ids: [3] }, 'Variant ids'],
      [{ products_collection_ids: [3] }, 'Products collection ids'],
      [{ limit_1_per_customer: true }, 'Limit 1 per customer'],
      [{ discounts_per_redemption: null }, 'Discounts per redemption'],
      [{ currency: 'EUR' }, 'Currency'],
    ]
    for (const [wanted, label] of changed) {
      change(wanted, APPLIED).refuses('invalid', new RegExp(`^${says(label)}`))
      change(wanted, APPLIED, { apply_until: AT }).refuses('invalid', new RegExp(`^${says(label)}`))
    }
    change({ percent: '25', currency: 'EUR' }, APPLIED).refuses('invalid', `${says('Percent')}; ${says('Currency')}`)
    change({ ...basic, percent: '20.00', currency: 'USD', name: 'New' }, APPLIED).then({
      type: 'DiscountChanged',
      data: { name: 'New' },
    })
    change({ expired: true }, APPLIED).then({ type: 'DiscountExpired', data: {} })
    const endless = 'Apply until cannot be removed after it has been redeemed'
    change({ apply_until: null }, APPLIED, { apply_until: AFTER }).refuses('invalid', endless)
    change({ expired: false }, APPLIED, { apply_until: AT }).refuses('invalid', endless)
  })

  it('takes no change at all once it has expired', () => {
    for (const wanted of [{ name: 'x' }, { expired: true }, { expired: false }, { apply_until: AFTER }, {}, basic])
      change(wanted, FRESH, { apply_until: AT }).refuses('invalid', 'Discount cannot be changed because it has expired')
    change({ name: 'x' }, FRESH, { apply_until: '2026-03-01T09:00:00.001Z' }).then({
      type: 'DiscountChanged',
      data: { name: 'x' },
    })
  })

  it('is marked once as used by an order, and cannot be removed then', () => {
    const applied = { type: 'DiscountApplied', data: {} }
    given(discounts, created()).when(ask('apply')).then(applied)
    given(discounts, created(), applied).when(ask('apply')).thenNothing()
    given(discounts, created()).when(ask('remove'), FRESH).then({ type: 'DiscountRemoved', data: {} })
    given(discounts, created(), applied)
      .when(ask('remove'), APPLIED)
      .refuses(
        'invalid',
        'Cannot delete a discount that has been applied to an order. Expire it instead with `expired: true`.',
      )
  })
})
