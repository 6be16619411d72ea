import { expect } from 'chai'
import { type MailRates, NO_RECEIVING, rateIn, receivingRatesIn } from '../../../domain/emails/rates/notation.ts'
import { daysOf } from '../../../domain/emails/rates/sent-by-day.ts'
import { type DayCounts, dayOf } from '../../../domain/emails/rates/warm-up.ts'
import { openDocument } from '../../../domain/kernel/model/personal.ts'
import { Pace, type RecordedMails } from '../../../workers/mail/pace.ts'
import { recordedMails } from '../../../workers/mail/recorded-mails.ts'
import { until } from '../../support/eventually.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { begin, createContacts, deliveriesOf, OWED, settledOf, statusesOf } from './mailing-tenant.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NONE: RecordedMails = { taken: async () => [], received: async () => new Map(), days: async () => new Map() }
const FREE: MailRates = { sending: undefined, receiving: NO_RECEIVING, warmsUp: false }

const sending = (text: string): MailRates => ({ ...FREE, sending: rateIn(text)! })
const receiving = (text: string): MailRates => ({ ...FREE, receiving: receivingRatesIn(text)! })
const of = (domain: string, count: number, mailClass: 'owed' | 'marketing' = 'marketing') => ({
  ...{ domain, count, class: mailClass },
})

/** Returns what a service has on record. */
const recordOf = ({ background }: TestService): RecordedMails => {
  const { log, readModels, vault } = background.stores
  const { live } = readModels
  const many = async (name: string, ids: readonly number[]) =>
    Promise.all((await live.getMany(name, ids)).flatMap((one) => (one ? [openDocument(vault, one)] : [])))
  return recordedMails({ live, log, seen: async () => undefined, loader: () => ({ many }) })
}

describe('rates of mail', () => {
  it('14 45: 1 in 2 minutes is 1 in any 2 minutes', async () => {
    const pace = new Pace(NONE)
    const rates = sending('1/2m')
    let sent = 0
    for (let now = 0; now < 60 * MINUTE; now += 1000)
      sent += (await pace.take(of('mail.millrace-shop.com', 5), rates, now)).places
    expect(sent).to.equal(30)
    const { places, next } = await pace.take(of('mail.millrace-shop.com', 1), rates, 58.5 * MINUTE)
    expect([places, next]).to.deep.equal([0, 60 * MINUTE])
  })

  it('14 45: a rate is kept in any stretch of its time, and each domain has its own', async () => {
    const pace = new Pace(NONE)
    const rates = sending('10/1m')
    const times: number[] = []
    for (let now = 0; now < 5 * MINUTE; now += 700) {
      const { places } = await pace.take(of('mail.millrace-shop.com', 1 + (now % 4)), rates, now)
      times.push(...Array.from({ length: places }, () => now))
    }
    for (const from of times) expect(times.filter((at) => at >= from && at < from + MINUTE).length).to.be.at.most(10)
    expect(times).to.have.length(50)
    expect((await pace.take(of('other.example', 20), rates, 5 * MINUTE)).places).to.equal(10)
  })

  it('14 45: a changed rate counts from then on, with the mails that went before', async () => {
    const at = new Date(10 * MINUTE).toISOString()
    const pace = new Pace({ ...NONE, taken: async () => [{ at, count: 4 }] })
    const now = 11 * MINUTE
    expect((await pace.take(of('mail.millrace-shop.com', 9), sending('4/5m'), now)).places).to.equal(0)
    expect((await pace.take(of('mail.millrace-shop.com', 9), sending('6/5m'), now)).places).to.equal(2)
    expect((await pace.take(of('mail.millrace-shop.com', 9), sending('5/30s'), now)).places).to.be.at.most(5)
  })

  it('14 45: receiving domains have rates, of their own or one for all others', async () => {
    const receivers = await new Pace(NONE).receivers(receiving('3/1m, slow.example=1/2m'), 0)
    const taken = (domain: string, now: number) => receivers.take(domain, now) === undefined
    const counts = { 'slow.example': 0, 'big.example': 0 }
    for (let now = 0; now < 10 * MINUTE; now += 5000)
      for (const domain of ['slow.example', 'big.example'] as const) if (taken(domain, now)) counts[domain]++
    expect(counts).to.deep.equal({ 'slow.example': 5, 'big.example': 30 })
    expect(receivers.take('slow.example', 9 * MINUTE)).to.equal(10 * MINUTE)
    expect(receivingRatesIn('3/1m,slow.example')).to.equal(undefined)
  })

  it('14 45: mailings that begin at once share what a rate leaves', async () => {
    const pace = new Pace({ ...NONE, taken: () => new Promise((go) => setImmediate(() => go([]))) })
    const all = await Promise.all([1, 2, 3].map(() => pace.take(of('mail.millrace-shop.com', 5), sending('6/1h'), 0)))
    expect(all.map(({ places }) => places)).to.deep.equal([5, 1, 0])
    expect((await pace.take(of('mail.millrace-shop.com', 5), sending('6/1h'), 0)).places).to.equal(0)
  })

  it('14 45: mail that is owed goes before marketing where the rate lets few go', async () => {
    const pace = new Pace(NONE)
    const rates = sending('2/1m')
    expect((await pace.take(of('mail.millrace-shop.com', 64), rates, 0)).places).to.equal(2)
    expect((await pace.take(of('mail.millrace-shop.com', 1, 'owed'), rates, 1000)).places).to.equal(0)
    expect((await pace.take(of('mail.millrace-shop.com', 64), rates, MINUTE)).places).to.equal(1)
    expect((await pace.take(of('mail.millrace-shop.com', 1, 'owed'), rates, MINUTE)).places).to.equal(1)
  })
})

describe('warm-up of new sending domains', () => {
  const warming: MailRates = { ...FREE, warmsUp: true }
  const START = Date.UTC(2026, 10, 26, 8)

  /** Sends as much as goes on each of some days. */
  const sentOn = async (days: number, wanted: (day: number) => number) => {
    const pace = new Pace(NONE)
    const sent: number[] = []
    for (let day = 0; day < days; day++) {
      const now = START + day * DAY
      let count = 0
      for (let left = wanted(day); left > 0; ) {
        const { places } = await pace.take(of('new.example', Math.min(left, 64)), warming, now + count)
        if (places === 0) break
        count += places
        left -= places
      }
      sent.push(count)
    }
    return sent
  }

  it('14 45: grows by the table, a step for each day that used half of the one before', async () => {
    expect(await sentOn(5, () => 4000)).to.deep.equal([200, 500, 1000, 2000, 4000])
    expect(await sentOn(4, (day) => (day === 1 ? 10 : 4000))).to.deep.equal([200, 10, 500, 1000])
  })

  it('14 45: waits for the next day, holds up no mail that is owed, and counts it', async () => {
    const held: unknown[] = []
    const pace = new Pace(NONE, (...said) => held.push(said))
    expect((await pace.take(of('new.example', 150, 'owed'), warming, START)).places).to.equal(150)
    const { places, next } = await pace.take(of('new.example', 64), warming, START)
    expect([places, new Date(next).toISOString()]).to.deep.equal([50, '2026-11-27T00:00:00.000Z'])
    expect((await pace.take(of('new.example', 64, 'owed'), warming, START)).places).to.equal(64)
    await pace.take(of('new.example', 64), warming, START + HOUR)
    expect(held, 'said once').to.deep.equal([['new.example', 200]])
    expect((await pace.take(of('new.example', 64), FREE, START)).places, 'turned off').to.equal(64)
  })

  it('14 45: a domain that has sent before goes on at its step, and a warm one has no limit', async () => {
    const having = (counts: Record<string, number>): RecordedMails => ({
      ...NONE,
      days: async (): Promise<DayCounts> => new Map(Object.entries(counts)),
    })
    const some = new Pace(having({ '2026-11-20': 180, '2026-11-24': 400, '2026-11-26': 900 }))
    expect((await some.take(of('new.example', 500), warming, START)).places).to.equal(100)
    const steps = [200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]
    const warm = new Pace(having(Object.fromEntries(steps.map((count, day) => [`2026-10-1${day}`, count]))))
    expect((await warm.take(of('new.example', 1_000_000), warming, START)).places).to.equal(1_000_000)
  })

  it('14 45: a mail that no server took gives its place back', async () => {
    const pace = new Pace(NONE)
    await pace.take(of('new.example', 200), warming, START)
    expect((await pace.take(of('new.example', 1), warming, START)).places).to.equal(0)
    await pace.notSent('new.example', START)
    expect((await pace.take(of('new.example', 9), warming, START)).places).to.equal(1)
  })
})

describe('rates of mail in a service', () => {
  it('14 45: all workspaces share the rate of a domain, and a restart forgets no mail', async () => {
    const sink = await startSink()
    const service = await startTestService({ SMTP_URL: sink.url, MILLRACE_MAIL_RATE: '3/1h' })
    const [one, two] = [await service.tenant(), await service.tenant()]
    const contacts = await createContacts(one, ['a@rate.example', 'b@rate.example'])
    await settledOf(service, await begin(one, contacts))
    const others = await createContacts(two, ['c@rate.example', 'd@rate.example', 'e@rate.example'])
    const mailing = await begin(two, others)
    await until(async () => statusesOf(await deliveriesOf(service, mailing)).includes('sent'))
    await service.caughtUp()
    expect(statusesOf(await deliveriesOf(service, mailing))).to.deep.equal(['sent', 'waiting', 'waiting'])
    expect(sink.arrived).to.have.length(3)
    const { places, next } = await new Pace(recordOf(service)).take(
      of('mail.millrace-shop.com', 5),
      sending('3/1h'),
      Date.now(),
    )
    expect(places).to.equal(0)
    expect(next - Date.now()).to.be.within(58 * MINUTE, HOUR)
    await sink.stop()
  })

  it('14 45: every attempt of a mail counts, and mail of test workspaces does not', async () => {
    const sink = await startSink({ recipient: () => ({ code: 451, text: '4.7.1 later' }) })
    const service = await startTestService({ SMTP_URL: sink.url })
    const [live, test] = [await service.tenant(), await service.tenant({ test: true })]
    await settledOf(service, await begin(test, await createContacts(test, ['t@rate.example'])))
    const mailing = await begin(live, await createContacts(live, ['later@rate.example']))
    await until(async () => (await deliveriesOf(service, mailing))[0]?.retry_at != null)
    const { taken } = recordOf(service)
    const countSince = async (since: number) =>
      (await taken('mail.millrace-shop.com', since)).reduce((sum, { count }) => sum + count, 0)
    expect(await countSince(Date.now() - 5 * MINUTE)).to.equal(1)
    expect(await countSince(Date.now() + 5 * MINUTE)).to.equal(0)
    const days = await daysOf('mail.millrace-shop.com', service.background.stores.readModels.live)
    expect(days.get(dayOf(Date.now())), 'taken by no server').to.equal(0)
    await sink.stop()
  })

  it('14 45: a rate that is changed while mails wait lets them go, and pauses nothing', async () => {
    const sink = await startSink()
    const service = await startTestService({ SMTP_URL: sink.url, MILLRACE_MAIL_WARM_UP: 'yes' })
    const { mailRates } = service.background
    await mailRates.order({ sending: '2/1d' })
    const tenant = await service.tenant()
    const addresses = Array.from({ length: 6 }, (_, n) => `w${n}@d${n}.example`)
    const mailing = await begin(tenant, await createContacts(tenant, addresses))
    const statuses = async () => statusesOf(await deliveriesOf(service, mailing))
    await until(async () => (await statuses()).filter((status) => status === 'sent').length === 2)
    expect(await statuses()).to.deep.equal(['sent', 'sent', 'waiting', 'waiting', 'waiting', 'waiting'])
    const receipt = await begin(tenant, await createContacts(tenant, ['owed@rate.example']), {
      ...{ class: 'owed', kind: 'order_confirmation', content: OWED },
    })
    await mailRates.order({ sending: 'none' })
    await settledOf(service, mailing, 45_000)
    await settledOf(service, receipt, 45_000)
    expect(sink.arrived).to.have.length(7)
    expect(await mailRates.show()).to.deep.equal({
      ...{ sending: 'none', receiving: 'none', warm_up: 'yes' },
      domains: [{ name: 'mail.millrace-shop.com', today: 7, limit: 200 }],
    })
    const restarted = new Pace(recordOf(service))
    const { places } = await restarted.take(of('mail.millrace-shop.com', 500), { ...FREE, warmsUp: true }, Date.now())
    expect(places, 'after a restart').to.equal(193)
    await sink.stop()
  })

  it('14 45: rates of receiving domains hold over a restart, and nobody behind them waits', async () => {
    const sink = await startSink()
    const service = await startTestService({ SMTP_URL: sink.url, MILLRACE_MAIL_RECEIVING_RATE: 'slow.example=2/1h' })
    const tenant = await service.tenant()
    const addresses = [...Array.from({ length: 70 }, (_, n) => `s${n}@slow.example`), 'q@quick.example']
    const mailing = await begin(tenant, await createContacts(tenant, addresses))
    await until(async () => sink.arrived.length === 3)
    await service.caughtUp()
    expect(sink.arrived.flatMap(({ to }) => to.map((address) => address.split('@')[1])).sort()).to.deep.equal([
      ...['quick.example', 'slow.example', 'slow.example'],
    ])
    const again = statusesOf(await deliveriesOf(service, mailing)).filter((status) => status === 'waiting')
    expect(again).to.have.length(68)
    const restarted = new Pace(recordOf(service))
    const receivers = await restarted.receivers(receiving('slow.example=3/1h'), Date.now())
    expect(receivers.take('slow.example', Date.now())).to.equal(undefined)
    expect(receivers.take('slow.example', Date.now())! - Date.now()).to.be.within(55 * MINUTE, HOUR)
    await sink.stop()
  })
})
