import { expect } from 'chai'
import { readKept } from '../../../infra/mail/files.ts'
import { complaint, deliveryReport } from '../../infra/mail-intake/mails.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { reportTo } from '../../support/smtp-report.ts'
import { begin, createContacts, deliveriesOf, settledOf } from '../../workers/mail/mailing-tenant.ts'

/** Fields of a report about a mail to an address. */
const failed = ({ to }: { readonly to: { readonly address: string } }, status: string) =>
  `Final-Recipient: rfc822; ${to.address}\r\nAction: failed\r\nStatus: ${status}`

describe('reports about mails', () => {
  let service: TestService
  let tenant: Tenant
  let people = 0

  before(async () => {
    service = await startTestService({ MILLRACE_MAIL_PORT: '0' })
    tenant = await service.tenant()
  })

  const report = (recipient: string, mail: Buffer) => reportTo(service.mailPort!, recipient, mail)
  const mailed = async (contactId?: number) => {
    const [id = 0] = contactId ? [contactId] : await createContacts(tenant, [`back${++people}@reports.example`])
    const mailing = await begin(tenant, [id])
    const [delivery] = await settledOf(service, mailing)
    const mail = (await readKept(service.background.stores, mailing, delivery!.id))!
    return { contactId: id, mailing, mail }
  }
  const suppressionOf = async (id: number) => ok(await tenant.api.get(`/contacts/${id}`)).email_suppression_reason
  const becomes = (id: number, reason: string | null) =>
    eventually(async () => expect(await suppressionOf(id)).to.equal(reason))

  it('14 67: count only at the signed return path of one mail to that recipient', async () => {
    const { contactId, mailing, mail } = await mailed()
    const bounce = deliveryReport(failed(mail, '5.1.1'))
    expect(await report('somebody@far.example', bounce)).to.include(550)
    expect(await report(`b+00${mail.returnPath.slice(4)}`, bounce)).to.include(550)
    expect(await report('abuse@shop.example', bounce), 'a report that merely names a contact').to.not.include(550)
    expect(await suppressionOf(contactId)).to.equal(null)
    expect(await report(mail.returnPath, bounce)).to.deep.equal([220, 250, 250, 250, 354, 250, 221])
    await becomes(contactId, 'bounced')
    expect((await deliveriesOf(service, mailing))[0]).to.include({
      status: 'bounced',
      returned: 'address',
      reply: '5.1.1',
    })
  })

  it('14 43: suppress only where the mailbox does not exist', async () => {
    for (const status of ['5.7.1', '5.3.4', '5.2.2', '5.1.8']) {
      const { contactId, mailing, mail } = await mailed()
      await report(mail.returnPath, deliveryReport(failed(mail, status)))
      await eventually(async () =>
        expect((await deliveriesOf(service, mailing))[0]).to.include({ status: 'failed', reply: status }),
      )
      expect(await suppressionOf(contactId)).to.equal(null)
    }
  })

  it('14 68: are no bounces when a mail is late, passed on or delivered', async () => {
    const { mailing, mail } = await mailed()
    for (const action of ['delayed', 'relayed', 'delivered', 'expanded'])
      await report(mail.returnPath, deliveryReport(failed(mail, '4.0.0').replace('failed', action)))
    await service.caughtUp()
    expect((await deliveriesOf(service, mailing))[0]).to.include({ status: 'kept', returned: null })
  })

  it('14 71: are one event when the same report comes twice', async () => {
    const { contactId, mailing, mail } = await mailed()
    const bounce = deliveryReport(failed(mail, '5.1.1'))
    await Promise.all([report(mail.returnPath, bounce), report(mail.returnPath, bounce)])
    await becomes(contactId, 'bounced')
    const types = []
    for await (const { type } of service.background.stores.log.readStream(`emails/mailing-${mailing}`)) types.push(type)
    expect(types.filter((type) => type === 'MailReturned')).to.have.length(1)
  })

  it('14 72: suppress who complains, found by the last Message-ID in the report that is ours', async () => {
    const { contactId, mail } = await mailed()
    const { contactId: other, mail: first } = await mailed()
    await report('abuse@shop.example', complaint('not-spam', mail.messageId))
    await report('abuse@shop.example', complaint('abuse', 'list.7@list.example', first.messageId.replace(/^./, '0')))
    expect(await suppressionOf(contactId)).to.equal(null)
    await report('abuse@shop.example', complaint('abuse', first.messageId, mail.messageId, 'list.7@list.example'))
    await becomes(contactId, 'complained')
    expect(await suppressionOf(other)).to.equal(null)
  })

  it('14 7: let the graver reason win, whatever comes first', async () => {
    const { contactId, mailing, mail } = await mailed()
    await report(mail.returnPath, deliveryReport(failed(mail, '4.4.7')))
    await eventually(async () => expect((await deliveriesOf(service, mailing))[0]).to.include({ returned: 'later' }))
    expect(await suppressionOf(contactId)).to.equal(null)
    await report(mail.returnPath, deliveryReport(failed(mail, '5.1.1')))
    await becomes(contactId, 'bounced')
    await report('abuse@shop.example', complaint('abuse', mail.messageId))
    await becomes(contactId, 'complained')
  })

  it('14 8: touch nobody in another workspace', async () => {
    const neighbour = await service.tenant()
    const address = `shared${++people}@reports.example`
    const [own = 0] = await createContacts(tenant, [address])
    const [theirs = 0] = await createContacts(neighbour, [address])
    const { mail } = await mailed(own)
    await report(mail.returnPath, deliveryReport(failed(mail, '5.1.1')))
    await becomes(own, 'bounced')
    expect(ok(await neighbour.api.get(`/contacts/${theirs}`)).email_suppression_reason).to.equal(null)
  })
})
