import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('senders, templates and topics over REST', () => {
  let service: TestService
  before(async () => {
    service = await testService()
  })

  const at = ({ workspaceId }: Tenant, kind: string) => `/workspaces/${workspaceId}/emails/${kind}`

  it("makes a sender on the operator's domain, which is usable while there is no other", async () => {
    const tenant = await service.tenant()
    const username = `shop-${tenant.workspaceId}`
    const { status, body } = await tenant.api.post(at(tenant, 'addresses'), { emails_address: { username, name: 'A' } })
    expect(status).to.equal(201)
    expect(body).to.include({
      email_address: `${username}@mail.millrace-shop.com`,
      is_workspace_default: true,
      usable_as_sender: true,
      emails_domain: null,
    })
    const other = await service.tenant()
    const taken = await other.api.post(at(other, 'addresses'), { emails_address: { username, name: 'B' } })
    expect([taken.status, taken.body.details[0].field]).to.deep.equal([422, 'emails_address.username'])
  })

  it('14 51, 55: refuses addresses that are no single plain mailbox where they are written', async () => {
    const tenant = await service.tenant()
    for (const username of [
      'a@x.example,b',
      '"a@b"',
      'a b',
      'a\r\nBcc: x',
      'ü',
      '.a',
      'a.',
      'a,b',
      '<a>',
      'x'.repeat(65),
    ]) {
      const sent = await tenant.api.post(at(tenant, 'addresses'), { emails_address: { username, name: 'A' } })
      expect([sent.status, sent.body.details?.[0]?.field], username).to.deep.equal([422, 'emails_address.username'])
    }
  })

  it('refuses a domain that senders do not share', async () => {
    const tenant = await service.tenant()
    const emails_address = { username: 'a', name: 'A', domain: 'other.com' }
    const { status, body } = await tenant.api.post(at(tenant, 'addresses'), { emails_address })
    expect([status, body.details[0].field]).to.deep.equal([422, 'emails_address.domain'])
  })

  it('archives a sender for good', async () => {
    const tenant = await service.tenant()
    const id = await recordMakers['emails/address']!.make(tenant)
    expect((await tenant.api.delete(`/emails/addresses/${id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/emails/addresses/${id}`)).status).to.equal(404)
  })

  it('shows the texts of a template only where they are asked for', async () => {
    const tenant = await service.tenant()
    const from_address_id = await recordMakers['emails/address']!.make(tenant)
    const emails_template = { name: 'T', subject: 'S', html_body: '<p>{{ a }}</p>', text_body: 'x', from_address_id }
    const { body } = await tenant.api.post(`${at(tenant, 'templates')}?expand[]=html_body`, { emails_template })
    expect(body).to.include({ html_body: '<p>{{ a }}</p>', template_type: 'email', created_via_api: true })
    expect(body.from_address.id).to.equal(from_address_id)
    const shown = ok(await tenant.api.get(`/emails/templates/${body.id}`))
    expect(shown).not.to.have.any.keys('html_body', 'text_body')
  })

  it('refuses a sender that is not there in the words of the contract', async () => {
    const tenant = await service.tenant()
    const emails_template = { name: 'T', subject: 'S', html_body: 'x', from_address_id: 999_999_999 }
    const { status, body } = await tenant.api.post(at(tenant, 'templates'), { emails_template })
    expect([status, body.details.map(({ message }: { readonly message: string }) => message)]).to.deep.equal([
      422,
      ['from_address_id not found'],
    ])
  })

  it('14 56: refuses invalid Liquid in subject, text and HTML, on create as on update', async () => {
    const tenant = await service.tenant()
    const id = await recordMakers['emails/template']!.make(tenant)
    const says = "Liquid syntax error: 'if' tag was never closed"
    for (const field of ['subject', 'html_body', 'text_body']) {
      const wrong = { [field]: '{% if a %}' }
      for (const { status, body } of [
        await tenant.api.post(at(tenant, 'templates'), { emails_template: { name: 'T', ...wrong } }),
        await tenant.api.put(`/emails/templates/${id}`, { emails_template: wrong }),
      ]) {
        expect([status, body.error], field).to.deep.equal([422, `Request unprocessable: ${says}`])
        expect(body.details[0].field).to.equal(`emails_template.${field}`)
      }
    }
  })

  it('archives topics, and lists them where they are asked for', async () => {
    const tenant = await service.tenant()
    const id = await recordMakers['emails/topic']!.make(tenant)
    expect((await tenant.api.delete(`/emails/topics/${id}`)).status).to.equal(204)
    expect((await tenant.api.delete(`/emails/topics/${id}`)).status).to.equal(204)
    expect(ok(await tenant.api.get(at(tenant, 'topics')))).to.deep.equal([])
    expect(ok(await tenant.api.get(`${at(tenant, 'topics')}?include_archived=true`))).to.have.length(1)
    expect(ok(await tenant.api.get(`/emails/topics/${id}`)).id).to.equal(id)
  })
})
