import { expect } from 'chai'
import { type Tenant, testService } from '../support/service.ts'

describe('If-Match', () => {
  let tenant: Tenant
  let contacts: string
  before(async () => {
    tenant = await (await testService()).tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
  })

  const statusOf = async (path: string, header: string) =>
    (await tenant.api.put(path, { contact: { first_name: header } }, { headers: { 'if-match': header } })).status

  it('takes one tag, a list of tags, or *', async () => {
    const { headers, body } = await tenant.api.post(contacts, { contact: { phone_number: '1' } })
    const path = `/contacts/${body.id}`
    const first = headers.get('etag')!
    expect(await statusOf(path, `"999999", ${first}`)).to.equal(200)
    expect(await statusOf(path, first)).to.equal(412)
    expect(await statusOf(path, `${first}, "other" , W/"999999"`)).to.equal(412)
    const now = (await tenant.api.get(path)).headers.get('etag')!
    expect(await statusOf(path, `"other",W/${now}`)).to.equal(200)
    expect(await statusOf(path, '*')).to.equal(200)
    for (const header of ['', 'other', '"other"', ',']) expect(await statusOf(path, header), header).to.equal(412)
    expect(await statusOf('/contacts/2000000000', '*')).to.equal(404)
  })
})

describe('an upsert beside the end of its contact', () => {
  let tenant: Tenant
  let contacts: string
  before(async () => {
    tenant = await (await testService()).tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
  })

  const upsert = (email_address: string, first_name: string) =>
    tenant.api.post(`${contacts}/upsert`, { contact: { email_address, first_name } })

  const ENDS = { deletion: '', erasure: '/gdpr_destroy' }
  for (const [what, path] of Object.entries(ENDS)) {
    it(`makes the contact anew beside a ${what}, without anything of the old one`, async () => {
      for (let round = 0; round < 15; round++) {
        const email_address = `${what}-${round}@example.com`
        const { body: old } = await tenant.api.post(contacts, {
          contact: { email_address, last_name: 'Old', custom_attributes: { old: 'yes' } },
        })
        const [ended, ...upserted] = await Promise.all([
          tenant.api.delete(`/contacts/${old.id}${path}`),
          ...['One', 'Two', 'Three'].map((name) => upsert(email_address, name)),
        ])
        expect(ended.status).to.equal(204)
        for (const answer of upserted) {
          expect([200, 201]).to.include(answer.status)
          if (answer.body.id !== old.id) expect(answer.body).to.deep.include({ last_name: null, custom_attributes: {} })
        }
        const after = await upsert(email_address, 'After')
        expect(after.body.id).not.to.equal(old.id)
        expect(after.body).to.deep.include({ first_name: 'After', last_name: null, custom_attributes: {} })
        const found = (await tenant.api.get(`${contacts}?filter[email_address]=${email_address}`)).body
        expect(found.map(({ id }: { id: number }) => id)).to.deep.equal([after.body.id])
      }
    })
  }
})
