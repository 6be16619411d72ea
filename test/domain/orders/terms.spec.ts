import { expect } from 'chai'
import { lineTerms, priceText } from '../../../domain/orders/public.ts'

const AT = '2027-01-31T12:00:00.000Z'
const monthly: Parameters<typeof priceText>[0] = {
  ...{ amount: '19.00', currency: 'USD', payment_type: 'subscription', interval: 'months', interval_count: 1 },
  ...{ duration: null, trial_interval: null, trial_duration: null, trial_amount: '0', setup_amount: null },
}
const week = { trial_interval: 'days', trial_duration: 7 } as const

const CASES: readonly (readonly [
  what: string,
  price: Parameters<typeof priceText>[0],
  label: string,
  terms?: string,
])[] = [
  ['one-time', { ...monthly, payment_type: 'one_time' }, '$19.00'],
  ['a subscription', monthly, '$19.00 every month', 'Then $38.00 every month from February 28, 2027.'],
  [
    'two months',
    { ...monthly, interval_count: 2 },
    '$19.00 every 2 months',
    'Then $38.00 every 2 months from March 31, 2027.',
  ],
  [
    'a trial',
    { ...monthly, ...week, trial_amount: '1.00' },
    '$1.00 for 7 days, then $19.00 every month',
    'Then $38.00 every month from February 7, 2027.',
  ],
  [
    'a free trial of one week',
    { ...monthly, trial_interval: 'weeks', trial_duration: 1, trial_amount: '0' },
    'Free for 1 week, then $19.00 every month',
    'Then $38.00 every month from February 7, 2027.',
  ],
  [
    'a set-up',
    { ...monthly, setup_amount: '30.00' },
    '$19.00 every month, plus $30.00 once',
    'Includes $60.00 once. Then $38.00 every month from February 28, 2027.',
  ],
  [
    'three payments',
    { ...monthly, payment_type: 'payment_plan', duration: 3 },
    '$19.00 every month, 3 payments',
    'Then $38.00 every month from February 28, 2027, 2 more payments.',
  ],
  [
    'three payments after a trial',
    { ...monthly, ...week, payment_type: 'payment_plan', duration: 3 },
    'Free for 7 days, then $19.00 every month, 3 payments',
    'Then $38.00 every month from February 7, 2027, 3 payments.',
  ],
  ['one payment', { ...monthly, payment_type: 'payment_plan', duration: 1 }, '$19.00 every month, 1 payment'],
]

describe('terms of a price', () => {
  for (const [what, price, label, terms] of CASES)
    it(`say all that is charged: ${what}`, () => {
      expect(priceText(price)).to.equal(label)
      expect(lineTerms(price, 2, AT, 'UTC')).to.equal(terms)
    })

  it('count days in the zone of the workspace', () => {
    expect(lineTerms(monthly, 1, '2027-02-28T20:00:00.000Z', 'Asia/Tokyo')).to.include('April 1, 2027')
  })
})
