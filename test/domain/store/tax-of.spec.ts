import { expect } from 'chai'
import { taxOf } from '../../../domain/store/public.ts'
import { lineOf } from '../pricing/carts.ts'

const rate = (id: number, country: string, region: string | null, on_shipping = false) => ({
  id,
  country,
  region,
  percent: String(id),
  on_shipping,
})
const rates = [rate(1, 'US', null, true), rate(7, 'US', 'CA'), rate(8, 'US', 'NY'), rate(19, 'DE', null, true)]

describe('the table of tax rates', () => {
  const at = (country: string | null, region: string | null, on: 'line' | 'shipping' = 'line') =>
    taxOf(rates, { country, region })(on === 'line' ? lineOf('a') : 'shipping').map(({ key }) => Number(key))

  it('taxes by country and region, however the region is named', () => {
    expect([at('US', 'CA'), at('us', 'california'), at('US', 'US-CA')]).to.deep.equal([
      [1, 7],
      [1, 7],
      [1, 7],
    ])
    expect([at('US', null), at('US', 'Nowhere'), at('US', ' ')]).to.deep.equal([[1], [1], [1]])
    expect([at('DE', 'BY'), at('FR', null), at(null, 'CA'), at('', '')]).to.deep.equal([[19], [], [], []])
  })

  it('taxes shipping where a rate says so', () => {
    expect([at('US', 'CA', 'shipping'), at('DE', null, 'shipping')]).to.deep.equal([[1], [19]])
  })
})
