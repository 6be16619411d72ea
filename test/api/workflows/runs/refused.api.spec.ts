import { expect } from 'chai'
import { type DeliveryRecord, delivery } from '../../../../domain/emails/public.ts'
import { ok } from '../../../support/client.ts'
import { completeAddress } from '../../../support/records/emails.ts'
import { startSink } from '../../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService } from '../../../support/service.ts'
import { createContacts } from '../../../workers/mail/mailing-tenant.ts'
import { addTags, enrolling } from './enrolled.ts'

const GOOD = 20

describe('runs that send at the same moment', () => {
  let service: TestService
  let tenant: Tenant
  let sink: Awaited<ReturnType<typeof startSink>>

  before(async () => {
    sink = await startSink({
      recipient: (address) =>
        address.startsWith('nobody')
          ? { code: 550, text: '5.1.1 no such user' }
          : address.startsWith('odd')
            ? { code: 501, text: '5.1.3 malformed' }
            : undefined,
    })
    service = await startTestService({ SMTP_URL: sink.url })
    tenant = await service.tenant()
  })
  after(() => sink.stop())

  it('14 90: one refused address does not make the others send again, and holds up no run', async () => {
    const on = enrolling(tenant)
    const { api, workspaceId } = tenant
    await completeAddress(tenant)
    ok(
      await api.post(`/workspaces/${workspaceId}/emails/addresses`, {
        emails_address: { username: 'runs', name: 'Shop' },
      }),
    )
    const [start, after] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const mail = { send_email_step: { subject: 'Hello', html_body: '<p>Hello</p>' } }
    const workflow = await on.startedBy(start, mail, addTags(after))
    const good = Array.from({ length: GOOD }, (_, index) => `r${index}@runs.example`)
    const addresses = [...good.slice(0, GOOD / 2), 'nobody@runs.example', 'odd@runs.example', ...good.slice(GOOD / 2)]
    const ids = await createContacts(tenant, addresses)
    const action = { contacts_tag_action: { tag_ids: [start], target_ids: ids } }
    ok(await api.post(`/workspaces/${workspaceId}/contacts/tag_actions`, action))
    const statuses = async () => {
      const { live } = service.background.stores.readModels
      const found = await Promise.all(ids.map((contact_id) => live.find(delivery.name, { where: { contact_id } })))
      return found.map((all) => (all as unknown as readonly DeliveryRecord[]).map(({ status }) => status))
    }
    const expected = addresses.map((address) =>
      address.startsWith('nobody') ? ['bounced'] : address.startsWith('odd') ? ['failed'] : ['sent'],
    )
    await on.soon(async () => expect(await statuses()).to.deep.equal(expected))
    await on.soon(async () => {
      const running = await on.runsOf(workflow, '?filter[status]=completed')
      expect(running.length).to.equal(20)
    })
    for (const id of ids) await on.soon(async () => expect(await on.tagsOf(id)).to.include(after))
    await service.caughtUp()
    expect(sink.arrived.map(({ to }) => to[0]).sort()).to.deep.equal([...good].sort())
    expect(await statuses(), 'nothing was sent again').to.deep.equal(expected)
  })
})
