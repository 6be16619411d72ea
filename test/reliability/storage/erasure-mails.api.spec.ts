import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { deliveryReport } from '../../infra/mail-intake/mails.ts'
import { type ApiClient, apiClient, ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { millrace, type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { reportTo } from '../../support/smtp-report.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { patience } from '../form.ts'
import { type Audience, deliveriesIn, draftToAnns, fillAudience, orderToSend } from '../kills/broadcasting.ts'
import { suiteDirectories } from '../service-process.ts'
import { tracesOf } from './traces.ts'

const CONTACTS = 500
const DOMAINS = 20
const SECRET = 'the secret that providers sign with'
/** Whose mail is in doubt, comes back, and is never sent. */
const DOUBTED = 'zenobiadoubted@unmistakable0.example'
const RETURNED = 'zenobiareturned@unmistakable1.example'
const WAITING = 'zenobiawaiting@unmistakable2.example'
const ERASED = [DOUBTED, RETURNED, WAITING]

describe('persons who are erased in the middle of a broadcast', function () {
  this.timeout(patience)
  const places = suiteDirectories('erasure-mails')
  const log: string[] = []
  const others = Array.from({ length: CONTACTS - ERASED.length }, (_, n) => `c${n}@d${n % DOMAINS}.example`)
  let data: string
  let audience: Audience
  let sink: Awaited<ReturnType<typeof startSink>>
  let mailPort: number
  let publicPort: number
  let service: Spawned
  let api: ApiClient
  let id: number
  let open = () => {}
  let gate = new Promise<void>((go) => {
    open = go
  })

  const start = async () => {
    const settings = {
      SMTP_URL: sink.url,
      MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com',
      MILLRACE_DEMO: '0',
      MILLRACE_PUBLIC_PORT: String(publicPort),
    }
    const reports = { MILLRACE_MAIL_PORT: String(mailPort), MILLRACE_MAIL_REPORT_SECRET: SECRET }
    service = await spawnMillrace(data, { ...settings, ...reports, MILLRACE_LOG_LEVEL: 'trace' }, log)
    api = apiClient(service.ready.origin, audience.token)
  }
  const soon = (check: () => Promise<unknown>) => eventually(check)
  const arrivedAt = (address: string) => sink.arrived.filter(({ to }) => to.includes(address))
  const contactAt = async (address: string) => ok(await api.get(`/contacts/${audience.contacts.get(address)}`))
  const erase = async (address: string) =>
    ok(await api.delete(`/contacts/${audience.contacts.get(address)}/gdpr_destroy`))
  const broadcast = async () => createdBody(await api.get(`/emails/broadcasts/${id}`))
  /** Lists the mails in doubt, as the operator reads it. */
  const inDoubt = async () => (await millrace(['mails', 'list', '--doubt', '--json', '--data', data])).out

  /** Reports by HTTP what a provider says of a mail. */
  const callBack = async (report: object) => {
    const body = JSON.stringify({ reports: [report] })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signed = createHmac('sha256', SECRET).update(`call_1.${timestamp}.${body}`).digest('base64')
    const headers = { 'webhook-id': 'call_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signed}` }
    return fetch(`http://127.0.0.1:${publicPort}/m/reports`, { method: 'POST', body, headers })
  }

  before(async () => {
    data = places.place()
    mailPort = await freePort()
    publicPort = await freePort()
    let answered = 0
    // The first mails are answered once the gate is open, which it is after the kill.
    sink = await startSink({
      async message() {
        if (++answered <= DOMAINS) await gate
        return undefined
      },
    })
    audience = await fillAudience(data, [DOUBTED, ...others, RETURNED, WAITING])
    await start()
    id = await draftToAnns(api, audience.workspaceId)
    await orderToSend(api, id)
  })
  after(async () => {
    open()
    await service?.stop('SIGKILL')
    await sink?.stop()
    places.clear()
  })

  it('14 106: get nothing any more once the answer is there, and the other mails go out', async () => {
    await soon(async () => expect(sink.hello.length).to.be.at.least(DOMAINS))
    await erase(WAITING)
    expect(arrivedAt(WAITING)).to.deep.equal([])
    await service.stop('SIGKILL')
    open()
    gate = Promise.resolve()
    await start()
    await soon(async () => expect((await broadcast()).status).to.equal('complete'))
    expect(arrivedAt(WAITING)).to.deep.equal([])
    const doubtful = (await inDoubt()).trim().split('\n')
    expect(doubtful.some((line) => JSON.parse(line).contact_id === audience.contacts.get(DOUBTED))).to.equal(true)
  })

  it('14 106: are in no list, report, callback or line of the log afterwards, and nowhere on the disk', async () => {
    const [returned] = arrivedAt(RETURNED)
    const said = `Final-Recipient: rfc822; ${RETURNED}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 <${RETURNED}> unknown`
    expect(await reportTo(mailPort, returned!.from, deliveryReport(said))).to.include(250)
    await soon(async () => expect((await contactAt(RETURNED)).email_suppression_reason).to.equal('bounced'))
    const answer = await callBack({ type: 'complaint', return_path: returned!.from, recipient: RETURNED })
    expect(await answer.json()).to.deep.equal({ taken: 1, ignored: 0 })
    await soon(async () => expect((await contactAt(RETURNED)).email_suppression_reason).to.equal('complained'))
    expect(await tracesOf(data, ['complete']), 'what is not personal is found').not.to.deep.equal([])

    await erase(DOUBTED)
    await erase(RETURNED)
    expect(await tracesOf(data, ERASED)).to.deep.equal([])
    const listed = await inDoubt()
    const lines = log.join('')
    expect(lines, 'requests are logged').to.include('"operation":"')
    for (const address of ERASED) {
      expect(listed).not.to.include(address)
      expect(lines).not.to.include(address)
      expect(JSON.stringify(await contactAt(address))).not.to.include(address)
    }
  })

  it('14 106: are not mailed at the operator’s word either, and leave the others readable', async () => {
    const contact_id = audience.contacts.get(DOUBTED)
    const doubtful = (await inDoubt())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const mine = doubtful.find((one) => one.contact_id === contact_id)
    const before = sink.hello.length
    expect((await millrace(['mails', 'send-again', String(mine.id), '--data', data])).code).to.equal(0)
    await soon(async () => expect(JSON.stringify(await inDoubt())).not.to.include(`"id":${mine.id},`))
    for (const address of others.slice(0, 5)) expect((await contactAt(address)).email_address).to.equal(address)
    await wait(100)
    expect(await service.stop()).to.equal(0)
    expect(sink.hello.length, 'nothing more went out').to.equal(before)
    const deliveries = await deliveriesIn(data, id)
    const statusOf = (address: string) =>
      deliveries.find((one) => one.contact_id === audience.contacts.get(address))?.status
    expect(ERASED.map(statusOf)).to.deep.equal(['deleted', 'bounced', 'deleted'])
    expect(deliveries.filter(({ status }) => status === 'sent' || status === 'in_doubt')).to.have.length(others.length)
    expect((await millrace(['rebuild', '--data', data, '--json'])).code).to.equal(0)
    expect(await tracesOf(data, ERASED)).to.deep.equal([])
  })
})
