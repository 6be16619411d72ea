import { expect } from 'chai'
import { readKept } from '../../../infra/mail/files.ts'
import { ok } from '../../support/client.ts'
import { BUSINESS } from '../../support/records/emails.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { createContacts } from '../../workers/mail/mailing-tenant.ts'
import { deliveriesOfBroadcast, draft, order, settledBroadcast } from './broadcasting.ts'

describe('settings of mail over REST', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant()
  })
  const path = () => `/workspaces/${tenant.workspaceId}/emails/settings`
  const put = (marketing_setting: object) => tenant.api.put(path(), { marketing_setting })
  const read = async () => ok(await tenant.api.get(path()))

  it('are empty before anything is set', async () => {
    expect(await read()).to.deep.equal({
      workspace_id: tenant.workspaceId,
      ...{ system_emails_from_address: null, system_emails_reply_to_address: null },
      ...{ marketing_emails_from_address: null, marketing_emails_reply_to_address: null },
      ...{ address: null, address_complete: false, name: null, address_single_line: false },
      ...{ hide_branding: false, unsubscribe_footer: null, footer_alignment: 'center' },
    })
  })

  it('are complete with a name and an address, and keep what is not sent', async () => {
    expect(ok(await put({ address: BUSINESS.address }))).to.include({ address_complete: false })
    const whole = ok(await put({ name: 'Mug Shop', footer_alignment: 'left' }))
    expect(whole).to.deep.include({
      address: {
        ...{ address_one: '1 High Street', address_two: null, city: 'Austin', postal_code: '78701' },
        ...{ country: 'US', region: 'TX', region_name: 'Texas' },
      },
      ...{ address_complete: true, name: 'Mug Shop', footer_alignment: 'left' },
    })
    expect(await read()).to.deep.equal(whole)
    expect(ok(await put({ unsubscribe_footer: 'Enough?' }))).to.deep.equal({ ...whole, unsubscribe_footer: 'Enough?' })
  })

  it('say where broadcasts without an address of their own are answered', async () => {
    const [, id = 0] = await createContacts(tenant, ['a@settings.example', 'b@settings.example'])
    const broadcast = await draft(tenant)
    const other = await recordMakers['emails/address']!.make(tenant)
    ok(await put({ marketing_emails_reply_to_address_id: other }))
    ok(await order(tenant, broadcast))
    await settledBroadcast(tenant, broadcast)
    const sent = (await deliveriesOfBroadcast(service, broadcast)).find(({ contact_id }) => contact_id === id)!
    const mail = await readKept(service.background.stores, sent.mailing_id, sent.id)
    expect(mail?.replyTo?.address).to.equal(ok(await tenant.api.get(`/emails/addresses/${other}`)).email_address)
  })

  it('refuse an incomplete address, and change nothing', async () => {
    for (const lacking of ['address_one', 'city', 'postal_code', 'country_code']) {
      const answer = await put({ name: 'Mug Shop', address: { ...BUSINESS.address, [lacking]: '' } })
      expect([answer.status, answer.body.error]).to.deep.equal([422, 'Request unprocessable: Address is incomplete'])
    }
    expect(await read()).to.include({ name: null, address_complete: false })
  })

  it('refuse another alignment, and senders of others', async () => {
    for (const footer_alignment of ['middle', '', null]) {
      const answer = await put({ footer_alignment })
      expect(answer.status).to.equal(422)
      if (footer_alignment) expect(answer.body.error).to.contain('not a valid footer_alignment')
    }
    const foreign = await recordMakers['emails/address']!.make(await service.tenant())
    expect((await put({ marketing_emails_from_address_id: foreign })).status).to.equal(422)
    const own = await recordMakers['emails/address']!.make(tenant)
    const shown = ok(await put({ marketing_emails_from_address_id: own }))
    expect(shown.marketing_emails_from_address.email_address).to.match(/@shop-.*\.com$/)
    ok(await tenant.api.delete(`/emails/addresses/${own}`))
    await service.caughtUp()
    expect((await read()).marketing_emails_from_address).to.equal(null)
  })
})
