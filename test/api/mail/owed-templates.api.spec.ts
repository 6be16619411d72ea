import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { keptMails, owedMails } from '../../support/owed-mails.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { type Shop, shopOf } from '../../support/traffic/shop.ts'

describe('texts of mails that somebody is owed', () => {
  let service: TestService
  let tenant: Tenant
  let shop: Shop
  let path: string

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    shop = await shopOf(tenant)
    path = `/workspaces/${tenant.workspaceId}/emails`
  })

  const shown = async (kind: string, locale = 'en') => {
    const { mails } = ok(await tenant.api.get(`${path}/owed_mails`))
    return mails.find((one: Record<string, unknown>) => one.kind === kind && one.locale === locale)
  }
  const write = (fields: object) => tenant.api.post(`${path}/owed_templates`, { emails_owed_template: fields })
  const buys = async () => shop.buys(await shop.sells({ amount: 30 }))

  it('are the standard ones until the workspace writes its own, and again when it removes these', async () => {
    const standard = await shown('order_confirmation')
    expect(standard).to.include({ template_id: null, subject: 'Your order {{ order.number }}' })
    const { id } = ok(await write({ kind: 'order_confirmation', locale: 'en', subject: 'Got {{ order.number }}!' }))
    expect(await shown('order_confirmation')).to.include({
      ...{ template_id: id, subject: 'Got {{ order.number }}!', html_body: standard.html_body },
    })
    expect((await shown('order_confirmation', 'ja')).template_id).to.equal(null)
    await buys()
    expect((await keptMails(service, tenant)).at(-1)?.subject).to.equal('Got #1001!')
    ok(await tenant.api.put(`/emails/owed_templates/${id}`, { emails_owed_template: { subject: 'Thanks' } }))
    await buys()
    expect((await keptMails(service, tenant)).at(-1)?.subject).to.equal('Thanks')
    ok(await tenant.api.delete(`/emails/owed_templates/${id}`))
    expect(await shown('order_confirmation')).to.deep.equal(standard)
  })

  it('14 56: are refused where they are no Liquid, in each part, when they are written and when they are changed', async () => {
    const which = { kind: 'order_shipped', locale: 'pt' }
    for (const part of ['subject', 'preheadline', 'html_body', 'text_body']) {
      const { status, body } = await write({ ...which, [part]: '{% if order %}' })
      expect(status, part).to.equal(422)
      expect(JSON.stringify(body)).to.contain(part).and.contain('Liquid syntax error')
    }
    const { id } = ok(await write({ ...which, subject: 'Enviado' }))
    const changed = { emails_owed_template: { html_body: '{{ order' } }
    expect((await tenant.api.put(`/emails/owed_templates/${id}`, changed)).status).to.equal(422)
    expect((await write(which)).status).to.equal(422)
  })

  it('are not sent of kinds that the workspace has turned off, except what nobody could do without', async () => {
    const off = (kinds: readonly string[]) => tenant.api.put(`${path}/owed_mails`, { owed_mails: { off: kinds } })
    const before = (await owedMails(service, tenant)).length
    expect(ok(await off(['order_confirmation'])).off).to.deep.equal(['order_confirmation'])
    await buys()
    expect(await owedMails(service, tenant)).to.have.length(before)
    expect((await off(['opt_in_confirmation'])).status).to.equal(422)
    expect((await off(['news'])).status).to.equal(422)
    expect(ok(await off([])).off).to.deep.equal([])
    await buys()
    expect(await owedMails(service, tenant)).to.have.length(before + 1)
    expect(ok(await tenant.api.get(`${path}/settings`))).to.not.have.property('owed_off')
  })
})
