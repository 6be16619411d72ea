import { expect } from 'chai'
import { unitsOnPages } from '../../../domain/orders/checkout/minor-units.ts'

describe('amounts on pages', () => {
  it('13a 50: are in minor units, by the list of the SDK', () => {
    for (const [amount, currency, units] of [
      ['5.00', 'USD', 500],
      ['500', 'JPY', 500],
      ['500', 'ISK', 50_000],
      ['10.00', 'MGA', 10],
      ['1.234', 'BHD', 1234],
    ] as const)
      expect(unitsOnPages(amount, currency), `${amount} ${currency}`).to.equal(units)
  })
})
