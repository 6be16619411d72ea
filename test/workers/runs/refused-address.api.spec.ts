import { expect } from 'chai'
import { delivery } from '../../../domain/emails/public.ts'
import { enrolling } from '../../api/workflows/runs/enrolled.ts'
import { ok } from '../../support/client.ts'
import { completeAddress } from '../../support/records/emails.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService } from '../../support/service.ts'
import { createContacts } from '../mail/mailing-tenant.ts'

const CONTACTS = 20

describe('runs that send at the same moment', () => {
  let sink: Awaited<ReturnType<typeof startSink>>
  before(async () => {
    const refused = { code: 550, text: '5.1.1 no such user' }
    sink = await startSink({ recipient: (address) => (address.startsWith('bad') ? refused : undefined) })
  })
  after(() => sink.stop())

  it('14 90: one refused address among them does not make the others send again', async () => {
    const service = await startTestService({ SMTP_URL: sink.url, MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com' })
    const tenant = await service.tenant()
    const on = enrolling(tenant)
    await completeAddress(tenant)
    const emails_address = { username: 'news', name: 'Shop' }
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/addresses`, { emails_address }))
    const addresses = Array.from({ length: CONTACTS }, (_, n) => `${n % 10 === 3 ? 'bad' : 'good'}${n}@runs.example`)
    const ids = await createContacts(tenant, addresses)
    const [start, done] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const workflow = await on.startedBy(
      start,
      { send_email_step: { subject: 'News', html_body: '<p>News</p>' } },
      { contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [done] } },
    )
    await Promise.all(ids.map((id) => on.applyTag(id, start)))
    await on.soon(async () => expect(await on.runsOf(workflow, '?filter[status]=completed')).to.have.length(CONTACTS))
    const { live } = service.background.stores.readModels
    const outcomes = async () =>
      Promise.all(
        ids.map(async (contact_id) => {
          const found = await live.find(delivery.name, { where: { contact_id } })
          return found.map(({ status }) => status).join()
        }),
      )
    const wanted = addresses.map((address) => (address.startsWith('bad') ? 'bounced' : 'sent'))
    await on.soon(async () => expect(await outcomes()).to.deep.equal(wanted))
    const arrived = sink.arrived.map(({ to }) => to[0]).sort()
    expect(arrived).to.deep.equal(addresses.filter((address) => address.startsWith('good')).sort())
  })
})
