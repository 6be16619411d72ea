import { expect } from 'chai'
import { type Tenant, testService } from '../support/service.ts'

describe('countries and regions', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })
  const inLanguage = async (language: string): Promise<string> => {
    const { body } = await tenant.api.call('GET', '/addresses/countries/DE', undefined, {
      headers: { 'accept-language': language },
    })
    return body.localized_name
  }

  it('lists all countries at once', async () => {
    const { body, headers } = await tenant.api.get('/addresses/countries')
    expect(body).to.have.length(249)
    expect(headers.get('link') ?? '').not.to.include('next')
    expect(body.find(({ iso2 }: { iso2: string }) => iso2 === 'GB')).to.deep.equal({
      iso2: 'GB',
      iso3: 'GBR',
      name: 'United Kingdom',
      localized_name: 'United Kingdom',
      has_regions: true,
    })
    expect(body.filter(({ has_regions }: { has_regions: boolean }) => !has_regions)).to.have.length(49)
  })

  it('names them in the most wanted language that is known', async () => {
    expect(await inLanguage('fr;q=0.5, de-AT')).to.equal('Deutschland')
    expect(await inLanguage('de;q=0.1, *, xx-broken-y, fr;q=0.9')).to.equal('Allemagne')
    expect(await inLanguage('tlh, ;;;, q=1')).to.equal('Germany')
    expect(await inLanguage('de;q=0')).to.equal('Germany')
  })

  it('lists the regions of a country, and says which it does not know', async () => {
    const { body } = await tenant.api.get('/addresses/countries/us/regions')
    expect(body).to.deep.include({ code: 'AK', name: 'Alaska', localized_name: 'Alaska', country_code: 'US' })
    expect((await tenant.api.get('/addresses/countries/VA/regions')).body).to.deep.equal([])
    for (const path of ['/addresses/countries/XX', '/addresses/countries/XX/regions']) {
      const { status, body } = await tenant.api.get(path)
      expect([status, body.error]).to.deep.equal([404, 'Not found: No such country: XX'])
    }
  })
})
