import { expect } from 'chai'
import { type ParsedMail, simpleParser } from 'mailparser'
import { contacts } from '../../../domain/contacts/public.ts'
import { mailing as mailingModel } from '../../../domain/emails/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { eventually, until } from '../../support/eventually.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { begin, createContacts, deliveriesOf, OWED, settledOf, statusesOf } from './mailing-tenant.ts'

const REFUSED = { code: 550, text: '5.1.1 no such user' }

describe('mails that are handed to a server', () => {
  let service: TestService
  let tenant: Tenant
  let sink: Awaited<ReturnType<typeof startSink>>
  let hold: Promise<void> | undefined

  before(async () => {
    sink = await startSink({
      hideSMTPUTF8: true,
      recipient: (address) =>
        address.startsWith('bad')
          ? REFUSED
          : address.startsWith('policy')
            ? { code: 550, text: '5.7.1 rejected as spam' }
            : address.startsWith('later')
              ? { code: 451, text: '4.7.1 try again later' }
              : address.startsWith('busy')
                ? { code: 421, text: '4.3.2 too busy' }
                : undefined,
      async message({ to }) {
        if (to[0]?.endsWith('slow.example')) await hold
        return undefined
      },
    })
    service = await startTestService({ SMTP_URL: sink.url })
    tenant = await service.tenant()
  })

  after(() => sink.stop())

  const arrivedAt = (address: string) => sink.arrived.filter(({ to }) => to.includes(address))
  const parsedAt = (address: string): Promise<ParsedMail> => simpleParser(arrivedAt(address)[0]!.source)

  /** Those of some contacts that are suppressed since their mail bounced. */
  const suppressed = async (ids: readonly number[]): Promise<readonly number[]> => {
    const found = await service.background.stores.readModels.live.getMany('contact', ids)
    return ids.filter((_, index) => found[index]?.email_suppression_reason === 'bounced')
  }

  it('14 60: a mail has one recipient, and neither it nor the greeting names the machine', async () => {
    const ids = await createContacts(tenant, ['one@sink.example', 'two@sink.example'])
    const deliveries = await settledOf(service, await begin(tenant, ids))
    expect(statusesOf(deliveries)).to.deep.equal(['sent', 'sent'])
    const mail = await parsedAt('one@sink.example')
    expect(mail.messageId).to.match(/^<[0-9a-f]+@mail\.millrace-shop\.com>$/)
    expect(arrivedAt('one@sink.example')[0]?.source.toString()).not.to.contain('two@sink.example')
    expect(new Set(sink.hello)).to.deep.equal(new Set(['app.example']))
    expect(arrivedAt('one@sink.example')[0]?.from).to.match(/^b\+[0-9a-f]+@mail\.millrace-shop\.com$/)
  })

  it('14 30: a refused address costs that address: 90 of 100 arrive when 10 are bad', async () => {
    const addresses = Array.from({ length: 100 }, (_, n) => `${n % 10 === 0 ? 'bad' : 'good'}${n}@many.example`)
    const ids = await createContacts(tenant, addresses)
    const statuses = statusesOf(await settledOf(service, await begin(tenant, ids)))
    expect(statuses.filter((status) => status === 'bounced')).to.have.length(10)
    expect(statuses.filter((status) => status === 'sent')).to.have.length(90)
    expect(sink.arrived.filter(({ to }) => to[0]?.endsWith('@many.example'))).to.have.length(90)
    await until(async () => (await suppressed(ids)).length === 10)
    expect(await suppressed(ids)).to.deep.equal(ids.filter((_, n) => n % 10 === 0))
  })

  it('14 43: a reply about policy fails the message, not the address', async () => {
    const ids = await createContacts(tenant, ['policy@sink.example'])
    const [delivery] = await settledOf(service, await begin(tenant, ids))
    expect(delivery).to.include({ status: 'failed', reason: 'policy', reply: '550 5.7.1' })
    await waitUntilSettled(service)
    expect(await suppressed(ids)).to.deep.equal([])
  })

  it('14 41: a temporary refusal is tried again after 5 minutes at first', async () => {
    const ids = await createContacts(tenant, ['later@sink.example'])
    const mailing = await begin(tenant, ids)
    await until(async () => (await deliveriesOf(service, mailing))[0]?.retry_at != null)
    const [delivery] = await deliveriesOf(service, mailing)
    expect(delivery).to.include({ status: 'waiting', reply: '451 4.7.1', attempts: 1 })
    const wait = Date.parse(delivery!.retry_at!) - Date.parse(delivery!.taken_at!)
    expect(wait).to.be.within(5 * 60_000, 6 * 60_000)
  })

  it('14 30, 41: 421 to one recipient pauses the mailing, counts as a try of that mail, and costs nobody else', async () => {
    const addresses = ['busy@crowd.example', ...Array.from({ length: 12 }, (_, n) => `c${n}@crowd${n % 3}.example`)]
    const mailing = await begin(tenant, await createContacts(tenant, addresses))
    const read = async () => service.background.stores.readModels.live.get(mailingModel.name, mailing)
    await until(async () => (await read())?.status === 'paused')
    expect(await read()).to.include({ status_reason: 'server_busy', pauses: 1 })
    const [busy, ...others] = await deliveriesOf(service, mailing)
    expect(busy).to.include({ status: 'waiting', attempts: 1, reason: 'server_busy', reply: '421 4.3.2' })
    expect(new Set(statusesOf(others))).to.deep.equal(new Set(['sent']))
  })

  it('14 55: a non-ASCII domain goes as xn--, and a non-ASCII local part fails that recipient alone', async () => {
    const ids = await createContacts(tenant, ['ann@bücher.example', 'jürgen@sink.example', 'fine@sink.example'])
    const deliveries = await settledOf(service, await begin(tenant, ids))
    expect(statusesOf(deliveries)).to.deep.equal(['sent', 'failed', 'sent'])
    expect(deliveries[1]).to.include({ reason: 'no_smtputf8', attempts: 1 })
    const mail = sink.arrived.find(({ to }) => to[0]?.startsWith('ann@'))
    expect(mail?.utf8).to.equal(false)
    expect(mail?.source.toString()).to.match(/^To: .*ann@xn--bcher-kva\.example/m)
  })

  it('14 46, 14 2: a slow receiving domain does not slow the others; who unsubscribes meanwhile gets nothing', async () => {
    let go = () => {}
    hold = new Promise((resolve) => {
      go = resolve
    })
    const slow = Array.from({ length: 20 }, (_, n) => `s${n}@slow.example`)
    const quick = Array.from({ length: 180 }, (_, n) => `q${n}@quick.example`)
    const ids = await createContacts(tenant, [...slow, ...quick])
    const mailing = await begin(tenant, ids)
    const quickOnes = () => sink.arrived.filter(({ to }) => to[0]?.endsWith('@quick.example'))
    await eventually(async () => expect(quickOnes()).to.have.length(quick.length))
    expect(sink.arrived.filter(({ to }) => to[0]?.endsWith('@slow.example'))).to.have.length(0)
    const last = ids[19]!
    await tenant.carryOut!(ask(contacts, last, 'unsubscribe', {}))
    go()
    const deliveries = await settledOf(service, mailing)
    expect(deliveries.find(({ contact_id }) => contact_id === last)?.status).to.equal('unsubscribed')
    expect(arrivedAt('s19@slow.example')).to.have.length(0)
    expect(statusesOf(deliveries).filter((status) => status === 'sent')).to.have.length(199)
  })

  it('15 64: what many get does not hold up what somebody is owed', async () => {
    let go = () => {}
    hold = new Promise((resolve) => {
      go = resolve
    })
    const many = await Promise.all(
      Array.from({ length: 12 }, async (_, n) =>
        begin(tenant, await createContacts(tenant, [`ann@a${n}.slow.example`, `bob@a${n}.slow.example`])),
      ),
    )
    const owed = await begin(tenant, await createContacts(tenant, ['owed@quick.example']), {
      ...{ class: 'owed', kind: 'order_confirmation', content: OWED },
    })
    expect(statusesOf(await settledOf(service, owed))).to.deep.equal(['sent'])
    expect(sink.arrived.filter(({ to }) => /@a\d+\.slow/.test(to[0] ?? ''))).to.deep.equal([])
    go()
    for (const id of many) expect(statusesOf(await settledOf(service, id))).to.deep.equal(['sent', 'sent'])
  })

  it('14 31: a fault that is not the recipient’s pauses the mailing, and nobody is suppressed', async () => {
    const closed = await startSink()
    await closed.stop()
    const own = await startTestService({ SMTP_URL: closed.url })
    const other = await own.tenant()
    const mailing = await begin(other, await createContacts(other, ['a@x.example', 'b@x.example']))
    await own.caughtUp()
    const read = async () => own.background.stores.readModels.live.get(mailingModel.name, mailing)
    await until(async () => (await read())?.status === 'paused')
    expect(await read()).to.include({ status_reason: 'connection', pauses: 1 })
    expect(statusesOf(await deliveriesOf(own, mailing))).to.deep.equal(['waiting', 'waiting'])
  })
})
