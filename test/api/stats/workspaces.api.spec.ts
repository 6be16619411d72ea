import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { shopOf } from '../../support/traffic/shop.ts'

describe('statistics of the records of a workspace', () => {
  let service: TestService
  let tenant: Tenant
  let workspace: string

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
    for (const [n, zone] of ['Berlin', 'Berlin', null].entries()) {
      const contact = { email_address: `c${n}@example.com`, ...(zone && { time_zone: zone }) }
      ok(await tenant.api.post(`${workspace}/contacts`, { contact }))
    }
    ok(await tenant.api.post(`${workspace}/contacts`, { contact: { first_name: 'Anonymous' } }))
    const shop = await shopOf(tenant)
    const tea = await shop.sells({ amount: '12.50', payment_type: 'one_time' })
    for (let n = 0; n < 2; n++) await shop.buys(tea)
    const line_items_attributes = [{ ...tea, quantity: 3 }]
    const order = { contact_id: shop.contactId, order_type: 'one-time-order', live_mode: true, line_items_attributes }
    ok(await tenant.api.post(`${workspace}/orders`, { order }))
  })

  const asked = (query: string) => tenant.api.get(`${workspace}/stats?${query}`)
  const stats = async (query: string) => ok(await asked(query)).stats

  it('counts contacts, by a property, and tells when they were made', async () => {
    const shown = ok(await asked('resource=contact&count=true&count_by[property]=time_zone&created_at_range=true'))
    expect(shown).to.include({ resource: 'contact', workspace_id: tenant.workspaceId })
    expect(shown.stats.count).to.equal(5)
    expect(shown.stats.count_by).to.deep.equal({ property: 'time_zone', values: { Berlin: 2, null: 3 }, capped: false })
    expect(shown.stats.created_at_range.min < shown.stats.created_at_range.max).to.equal(true)
    const by = async (property: string) =>
      (await stats(`resource=contact&count_by[property]=${property}`)).count_by.values
    expect(await by('anonymous')).to.deep.equal({ false: 4, true: 1 })
    expect(await by('is_active')).to.deep.equal({ true: 4, false: 1 })
  })

  it('sums orders up', async () => {
    const sum = async (property: string, more = '') =>
      (await stats(`resource=order&sum[property]=${property}${more}`)).sum
    expect(await sum('total_amount')).to.deep.equal({
      property: 'total_amount',
      value: '62.50',
      left_out_in_other_currencies: 0,
    })
    expect((await sum('total_collected')).value).to.equal('25.00')
    expect((await sum('tax_amount')).value).to.equal('0.00')
    expect((await sum('total_amount', '&filter[live_mode]=true')).value).to.equal('37.50')
    expect((await sum('total_amount', '&filter[billing_status]=voided')).value).to.equal(null)
    const by = await stats('resource=order&count=1&count_by[property]=live_mode')
    expect(by).to.deep.equal({
      count: 3,
      count_by: { property: 'live_mode', values: { false: 2, true: 1 }, capped: false },
    })
  })

  it('narrows by filters, of which it ignores none', async () => {
    const count = async (query: string) => (await stats(`resource=contact&count=true&${query}`)).count
    expect(await count('filter[email_address]=c1@example.com,c2@example.com')).to.equal(2)
    expect(await count('filter[email_address]=nobody@example.com')).to.equal(0)
    expect(await count('filter[is_active]=true')).to.equal(4)
    const name = 'From Berlin'
    const criteria = [{ attribute: 'email_address', clause: 'sw', value: 'c' }]
    const filter = ok(await tenant.api.post(`${workspace}/refine_filters`, { refine_filter: { name, criteria } }))
    expect(await count(`stored_filter_id=${filter.id}`)).to.equal(3)
    for (const [query, field] of [
      ['resource=contact&count=true&filter[name]=x', 'filter[name]'],
      ['resource=contact&count=true&filters[id]=1', 'filters[id]'],
      ['resource=contact&count=true&filter[is_active]=maybe', 'filter[is_active]'],
      ['resource=product&count=true', 'resource'],
      ['count=true', 'resource'],
      ['resource=contact', 'count'],
      ['resource=contact&count=false', 'count'],
      ['resource=contact&sum[property]=total_amount', 'sum'],
      ['resource=order&count_by=true', 'count_by[property]'],
      ['resource=order&count_by[property]=notes', 'count_by[property]'],
    ] as const) {
      const { status, body } = await asked(query)
      expect(status, query).to.equal(422)
      expect(body.details[0].field, query).to.equal(field)
    }
    expect((await asked('resource=contact')).body.error).to.contain(
      'no stats requested. Supported for contact: count, count_by, created_at_range',
    )
  })

  it('needs the scope of what is counted', async () => {
    const [contacts, store] = [await tenant.withScopes(['contacts:read']), await tenant.withScopes(['store:read'])]
    const path = (resource: string) => `${workspace}/stats?resource=${resource}&count=true`
    expect((await contacts.get(path('contact'))).status).to.equal(200)
    expect((await store.get(path('order'))).status).to.equal(200)
    expect((await store.get(path('contact'))).body.error).to.contain('contacts:read')
    expect((await contacts.get(path('order'))).body.error).to.contain('store:read')
  })

  it('answers as of a moment', async () => {
    const count = async (query: string) => (await stats(`resource=contact&count=true&${query}`)).count
    const before = await count('')
    const { id } = ok(
      await tenant.api.post(`${workspace}/contacts`, { contact: { email_address: 'late@example.com' } }),
    )
    await sleep(3)
    const moment = new Date().toISOString()
    await sleep(3)
    expect((await tenant.api.delete(`/contacts/${id}`)).status).to.equal(204)
    await service.caughtUp()
    expect(await count('')).to.equal(before)
    expect(await count(`as_of=${moment}`)).to.equal(before + 1)
    expect(await count(`as_of=${moment}&filter[is_active]=true`)).to.equal(before)
    expect(await count('as_of=2020-01-01T00:00:00Z')).to.equal(0)
    expect((await asked(`resource=contact&count=true&as_of=${moment}&filter[email_address]=x@y.z`)).status).to.equal(
      422,
    )
  })

  it('answers two requests of a token at once, and others later', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => asked('resource=order&count=true&sum[property]=total_collected')),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).to.be.at.least(2)
    for (const { body, headers } of refused) {
      expect(body).to.deep.include({ hint: null, retry_after: 2 })
      expect(headers.get('retry-after')).to.equal('2')
    }
    expect((await asked('resource=order&count=true')).status).to.equal(200)
  })
})
