import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { mailReports } from '../../../api/mail/reports.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { readReport } from '../../../infra/mail-intake/report.ts'
import { deliveryReport } from '../../infra/mail-intake/mails.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { begin, createContacts, deliveriesOf, settledOf } from '../../workers/mail/mailing-tenant.ts'

const SECRET = 'the secret that providers sign with'

describe('reports of providers', () => {
  let service: TestService
  let tenant: Tenant
  let people = 0
  let calls = 0

  before(async () => {
    service = await startTestService({ MILLRACE_MAIL_PORT: '0', MILLRACE_MAIL_REPORT_SECRET: SECRET })
    tenant = await service.tenant()
  })

  const now = () => Math.floor(Date.now() / 1000)
  const signature = (id: string, timestamp: number, body: string, secret = SECRET) =>
    `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  const post = (body: string, headers: Record<string, string>, url = service.publicUrl) =>
    fetch(`${url}/m/reports`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  /** Posts reports as a provider does. */
  const report = async (reports: readonly object[], timestamp = now()) => {
    const body = JSON.stringify({ reports })
    const id = `call_${++calls}`
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
    const answer = await post(body, { ...headers, 'webhook-signature': `v1,AAAA ${signature(id, timestamp, body)}` })
    return { status: answer.status, body: await answer.json() }
  }
  const mailed = async () => {
    const [contactId = 0] = await createContacts(tenant, [`back${++people}@callbacks.example`])
    const mailing = await begin(tenant, [contactId])
    const [delivery] = await settledOf(service, mailing)
    return { contactId, mailing, mail: (await readKept(service.background.stores, mailing, delivery!.id))! }
  }
  const suppressionOf = async (id: number) => ok(await tenant.api.get(`/contacts/${id}`)).email_suppression_reason
  const becomes = (id: number, reason: string) =>
    eventually(async () => expect(await suppressionOf(id)).to.equal(reason))

  it('14 72: suppress by the Message-ID or the return path of a mail', async () => {
    const [one, two, three] = [await mailed(), await mailed(), await mailed()]
    const { status, body } = await report([
      { type: 'bounce', message_id: `<${one.mail.messageId}>`, status: '5.1.1' },
      { type: 'complaint', return_path: two.mail.returnPath },
      { type: 'complaint', message_id: three.mail.messageId, feedback_type: 'not-spam' },
      { type: 'bounce', message_id: 'somebody.else@far.example', status: '5.1.1' },
    ])
    expect([status, body]).to.deep.equal([200, { taken: 3, ignored: 1 }])
    await becomes(one.contactId, 'bounced')
    await becomes(two.contactId, 'complained')
    expect(await suppressionOf(three.contactId)).to.equal(null)
  })

  it('may name the recipient and the answer of the server, and then count only for that recipient', async () => {
    const [other, named, ours] = [await mailed(), await mailed(), await mailed()]
    const bounce = { type: 'bounce', status: '5.1.1' }
    await report([
      { ...bounce, message_id: other.mail.messageId, recipient: 'somebody@else.example' },
      { ...bounce, message_id: ours.mail.messageId, diagnostic: '550 5.1.1 Sender verify failed' },
      { ...bounce, message_id: named.mail.messageId, recipient: named.mail.to.address },
    ])
    await becomes(named.contactId, 'bounced')
    expect(await suppressionOf(other.contactId)).to.equal(null)
    expect(await suppressionOf(ours.contactId)).to.equal(null)
    expect((await deliveriesOf(service, ours.mailing))[0]).to.include({ status: 'failed', reason: 'sender' })
  })

  it('14 71: are one event with the same report by mail', async () => {
    const { contactId, mailing, mail } = await mailed()
    const bounce = { type: 'bounce', message_id: mail.messageId, status: '5.1.1' }
    await report([bounce, bounce])
    const { core, stores } = service.background
    const logger = { warn: () => undefined }
    const byMail = mailReports({ ...core, everywhere: stores.readModels.live, vault: stores.vault, logger })
    const fields = `Final-Recipient: rfc822; ${mail.to.address}\r\nAction: failed\r\nStatus: 5.1.1`
    await byMail.take(mail.returnPath, await readReport(deliveryReport(fields)))
    await becomes(contactId, 'bounced')
    await report([bounce])
    const types = []
    for await (const { type } of stores.log.readStream(`emails/mailing-${mailing}`)) types.push(type)
    expect(types.filter((type) => type === 'MailReturned')).to.have.length(1)
    expect((await deliveriesOf(service, mailing))[0]).to.include({ status: 'bounced', returned: 'address' })
  })

  it('14 73: without a valid signature, or older than 10 minutes, are 401 and leave nothing', async () => {
    const { contactId, mail } = await mailed()
    await service.caughtUp()
    const last = await service.background.stores.log.lastPosition()
    const body = JSON.stringify({ reports: [{ type: 'bounce', message_id: mail.messageId, status: '5.1.1' }] })
    const at = now()
    const headers = (timestamp: number, signed: string) => ({
      ...{ 'webhook-id': 'x', 'webhook-timestamp': String(timestamp), 'webhook-signature': signed },
    })
    const right = signature('x', at, body)
    for (const [name, sent, text] of [
      ['no signature', {}, body],
      ['another secret', headers(at, signature('x', at, body, `${SECRET}.`)), body],
      ['another body', headers(at, right), `${body} `],
      ['another time', headers(at - 1, right), body],
      ['cut', headers(at, right.slice(0, -4)), body],
      ['another version', headers(at, right.replace('v1', 'v2')), body],
      ['11 minutes old', headers(at - 660, signature('x', at - 660, body)), body],
      ['11 minutes ahead', headers(at + 660, signature('x', at + 660, body)), body],
      ['no time', { ...headers(at, right), 'webhook-timestamp': 'now' }, body],
    ] as const)
      expect((await post(text, sent)).status, name).to.equal(401)
    expect(await service.background.stores.log.lastPosition()).to.equal(last)
    expect(await suppressionOf(contactId)).to.equal(null)
    expect((await report([], at - 590)).status, 'almost 10 minutes').to.equal(200)
  })

  it('are refused as a whole, naming what is wrong in one of them', async () => {
    const { contactId, mail } = await mailed()
    const fine = { type: 'bounce', message_id: mail.messageId, status: '5.1.1' }
    for (const [wrong, message] of [
      [{ type: 'open', message_id: 'a@b.example' }, 'reports[1].type must be bounce or complaint'],
      [{ type: 'bounce' }, 'reports[1].message_id or return_path must be given'],
      [{ type: 'bounce', message_id: 7 }, 'reports[1].message_id must be a text'],
      [{ type: 'bounce', message_id: 'a@b.example', status: 'gone' }, 'reports[1].status must be such as 5.1.1'],
    ] as const) {
      const { status, body } = await report([fine, wrong])
      expect(status).to.equal(400)
      expect(JSON.stringify(body)).to.contain(message)
    }
    expect(await suppressionOf(contactId)).to.equal(null)
  })

  it('are not taken where the operator has set no secret', async () => {
    const without = await startTestService()
    expect((await post('{}', {}, without.publicUrl)).status).to.equal(404)
  })
})
