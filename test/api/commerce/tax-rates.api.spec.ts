import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'

describe('tax rates over REST', () => {
  let tenant: Tenant
  let path: string
  before(async () => {
    tenant = await (await testService()).tenant()
    path = `/workspaces/${tenant.workspaceId}/tax_rates`
  })

  const post = (fields: object) =>
    tenant.api.post(path, { tax_rate: { name: 'VAT', country: 'de', percent: 19, ...fields } })

  it('keep the code of a region, and a percent as it was sent', async () => {
    const { body } = await post({ name: 'Sales', country: 'us', region: 'california', percent: '7.25' })
    expect(body).to.include({ country: 'US', region: 'CA', percent: '7.25', on_shipping: false })
    expect((await post({})).body).to.include({ country: 'DE', region: null, percent: '19' })
    const listed = (await tenant.api.get(`${path}?filter[country]=us`)).body
    expect(listed.map(({ id }: { id: number }) => id)).to.deep.equal([body.id])
    const moved = await tenant.api.put(`/tax_rates/${body.id}`, { tax_rate: { country: 'DE' } })
    expect([moved.status, moved.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Region is not one of the country',
    ])
    const whole = await tenant.api.put(`/tax_rates/${body.id}`, { tax_rate: { country: 'FR', region: '' } })
    expect(whole.body).to.include({ country: 'FR', region: null })
    expect((await tenant.api.delete(`/tax_rates/${body.id}`)).status).to.equal(204)
  })

  it('refuse an invalid rate', async () => {
    const says = async (fields: object) => (await post({ name: 'Other', ...fields })).body.error
    const percent = 'Request unprocessable: Percent must be 0 to 100, with at most 4 decimals'
    for (const odd of ['100.01', '-1', 1e-7, '1.00001', 'x', ' 1'])
      expect(await says({ percent: odd }), String(odd)).to.equal(percent)
    expect(await says({ country: 'XX' })).to.equal('Request unprocessable: Country is not a known country')
    expect(await says({ country: '' })).to.equal("Request unprocessable: Country can't be blank")
    expect(await says({ name: 'VAT' })).to.equal('Request unprocessable: Name has already been taken')
  })
})
