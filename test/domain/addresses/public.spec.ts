import { expect } from 'chai'
import { countryCode, regionIn } from '../../../domain/addresses/public.ts'
import { ids } from '../../support/projection.ts'

describe('parts of an address', () => {
  it('a country is known by its code', () => {
    const parse = (value: unknown) => countryCode().parse(value, { ids })
    expect(parse('de')).to.deep.equal({ value: 'DE' })
    expect(parse('')).to.deep.equal({ value: null })
    expect(parse('XX')).to.deep.equal({ problem: 'is not a known country', code: 'inclusion' })
    expect(parse('DEU')).to.have.property('problem')
    expect(parse(49)).to.deep.equal({ problem: 'must be a string', code: 'type' })
  })

  it('a region is known by its code or its name, in its own country alone', () => {
    for (const value of ['AK', 'ak', 'US-AK', 'Alaska', ' alaska '])
      expect(regionIn('US', value)?.name).to.equal('Alaska')
    expect(regionIn('us', 'Alaska')?.code).to.equal('AK')
    for (const value of ['', 'Bavaria', 'DE-AK']) expect(regionIn('US', value)).to.equal(undefined)
    expect(regionIn('XX', 'AK')).to.equal(undefined)
  })
})
