import { expect } from 'chai'
import { simpleParser } from 'mailparser'
import { ok } from '../../support/client.ts'
import { eventually, until } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { signaturesOf } from '../../support/received.ts'
import { rootDomain } from '../../support/records/emails.ts'
import { startExim, WHY_NO_EXIM } from '../../support/servers/exim.ts'
import { publishAlias, publishText } from '../../support/servers/name-server.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { begin, CONTENT, createContacts, deliveriesOf, settledOf, statusesOf } from './mailing-tenant.ts'

const TEXT = `.\n..\n.hidden\n${'x'.repeat(5000)}\n${'wörd '.repeat(900)}\nFrom here`
const HTML = `<p>${'y'.repeat(5000)}</p>\n.\n<p>${'z '.repeat(3000)}</p>`

describe(`mails by way of a real mail server${WHY_NO_EXIM ? ` (skipped: ${WHY_NO_EXIM})` : ''}`, () => {
  let service: TestService
  let tenant: Tenant
  let domain: { readonly id: number; readonly name: string }
  let sink: Awaited<ReturnType<typeof startSink>>
  let relay: Awaited<ReturnType<typeof startExim>>

  before(async function () {
    if (WHY_NO_EXIM) return this.skip()
    sink = await startSink({
      recipient: (address) =>
        address.startsWith('gone')
          ? { code: 550, text: '5.1.1 No such user' }
          : address.startsWith('bare')
            ? { code: 550, text: 'Unrouteable address' }
            : address.startsWith('spam')
              ? { code: 550, text: '5.7.1 Refused by policy' }
              : undefined,
    })
    const port = await freePort()
    service = await startTestService({ SMTP_URL: `smtp://127.0.0.1:${port}?tls=no`, MILLRACE_MAIL_PORT: '0' })
    relay = await startExim(port, { reports: service.mailPort!, sink: Number(new URL(sink.url).port) })
    tenant = await service.tenant()
    const emails_domain = { name: rootDomain() }
    domain = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/domains`, { emails_domain }))
    const shown = domain as unknown as Record<string, { readonly name: string; readonly value: string }>
    for (const kind of ['dkim_record', 'spf_record', 'dmarc_record']) publishText(shown[kind]!.name, shown[kind]!.value)
    publishAlias(shown.return_address_record!.name, shown.return_address_record!.value)
    ok(await tenant.api.post(`/emails/domains/${domain.id}/verify`))
  })

  after(async () => {
    await relay?.stop()
    await sink?.stop()
  })

  const send = async (addresses: readonly string[], content = CONTENT) => {
    const contactIds = await createContacts(tenant, addresses)
    const sender = { name: 'Shop', address: `news@${domain.name}` }
    const mailing = await begin(tenant, contactIds, { sender, content })
    return { contactIds, mailing, statuses: statusesOf(await settledOf(service, mailing)) }
  }
  const arrivedAt = async (address: string): Promise<Buffer> => {
    const found = () => sink.arrived.find(({ to }) => to.includes(address))
    await until(async () => found() !== undefined)
    return found()!.source
  }

  it('14 54: behind a relay no line is over 998 octets, lines that begin with a dot survive, and the signature verifies', async () => {
    const { statuses } = await send(['long@sink.example'], { ...CONTENT, text_body: TEXT as never, html_body: HTML })
    expect(statuses).to.deep.equal(['sent'])
    const source = await arrivedAt('long@sink.example')
    const lines = source.toString('latin1').split('\r\n')
    expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(998)
    expect(source.toString('latin1'), 'the relay took it').to.contain('by relay.example with esmtp (Exim')
    const { text = '', html } = await simpleParser(source)
    expect(text.replace(/\r\n/g, '\n')).to.contain(TEXT)
    expect(html).to.contain('y'.repeat(5000))
    const [signature, ...others] = await signaturesOf(source)
    expect(others).to.deep.equal([])
    expect(signature).to.include({ result: 'pass', domain: domain.name })
    expect(signature!.signed).to.include.members(['list-unsubscribe', 'list-unsubscribe-post'])
  })

  it('14 67: the report of a real server about a mailbox that does not exist suppresses its contact', async () => {
    const { contactIds, mailing, statuses } = await send([
      ...['gone@sink.example', 'bare@sink.example', 'spam@sink.example', 'here@sink.example'],
    ])
    expect(statuses, 'the relay took them').to.deep.equal(['sent', 'sent', 'sent', 'sent'])
    await arrivedAt('here@sink.example')
    const reasons = async () => {
      const contacts = await Promise.all(contactIds.map((id) => tenant.api.get(`/contacts/${id}`)))
      return contacts.map((one) => ok(one).email_suppression_reason)
    }
    await eventually(async () => {
      const [, , spam] = await deliveriesOf(service, mailing)
      expect(spam).to.include({ status: 'failed', returned: 'refused', reply: '5.7.1' })
      expect(await reasons()).to.deep.equal(['bounced', 'bounced', null, null])
    })
    const [gone, bare, , here] = await deliveriesOf(service, mailing)
    expect(gone).to.include({ status: 'bounced', returned: 'address', reply: '5.1.1' })
    expect(bare).to.include({ status: 'bounced', returned: 'address' })
    expect(here).to.include({ status: 'sent', returned: null })
    await eventually(async () => {
      const log = await relay.log()
      expect(log.match(/=> b\+[0-9a-f]+@bounces\./g), 'the listener answered').to.have.length(3)
      expect(log).not.to.contain('closed connection')
    })
  })

  it('14 43: a domain that the relay has no way to fails its mail, and suppresses nobody', async () => {
    const { contactIds, mailing } = await send(['somebody@nowhere.example'])
    await eventually(async () => {
      const [delivery] = await deliveriesOf(service, mailing)
      expect(delivery).to.include({ status: 'failed', returned: 'refused' })
    })
    expect(ok(await tenant.api.get(`/contacts/${contactIds[0]}`)).email_suppression_reason).to.equal(null)
  })
})
