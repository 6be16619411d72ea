import { expect } from 'chai'
import { Pace } from '../../../workers/mail/pace.ts'
import { recordedTimes } from '../../../workers/mail/recorded-times.ts'
import { until } from '../../support/eventually.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { startTestService } from '../../support/service.ts'
import { begin, createContacts, deliveriesOf, settledOf, statusesOf } from './mailing-tenant.ts'

const MINUTE = 60_000
const NONE = async () => []

describe('rates of mail', () => {
  it('14 45: 1 in 2 minutes is 1 in any 2 minutes', async () => {
    const pace = new Pace({ mails: 1, perMs: 2 * MINUTE }, NONE)
    let sent = 0
    for (let now = 0; now < 60 * MINUTE; now += 1000) sent += (await pace.take('shop.example', 5, now)).places
    expect(sent).to.equal(30)
    const { places, next } = await pace.take('shop.example', 1, 58.5 * MINUTE)
    expect([places, next]).to.deep.equal([0, 60 * MINUTE])
  })

  it('14 45: a rate is kept in any stretch of its time, and each domain has its own', async () => {
    const pace = new Pace({ mails: 10, perMs: MINUTE }, NONE)
    const times: number[] = []
    for (let now = 0; now < 5 * MINUTE; now += 700) {
      const { places } = await pace.take('shop.example', 1 + (now % 4), now)
      times.push(...Array.from({ length: places }, () => now))
    }
    for (const from of times) expect(times.filter((at) => at >= from && at < from + MINUTE).length).to.be.at.most(10)
    expect(times).to.have.length(50)
    expect((await pace.take('other.example', 20, 5 * MINUTE)).places).to.equal(10)
  })

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
    const restarted = new Pace({ mails: 3, perMs: 60 * MINUTE }, recordedTimes(service.background.stores.readModels))
    const { places, next } = await restarted.take('shop.example', 5, Date.now())
    expect(places).to.equal(0)
    expect(next - Date.now()).to.be.within(58 * MINUTE, 60 * MINUTE)
    await sink.stop()
  })

  it('14 45: every attempt of a mail counts, and mail of test workspaces does not', async () => {
    const sink = await startSink({ recipient: () => ({ code: 451, text: '4.7.1 later' }) })
    const service = await startTestService({ SMTP_URL: sink.url })
    const [live, test] = [await service.tenant(), await service.tenant({ test: true })]
    await settledOf(service, await begin(test, await createContacts(test, ['t@rate.example'])))
    const mailing = await begin(live, await createContacts(live, ['later@rate.example']))
    await until(async () => (await deliveriesOf(service, mailing))[0]?.retry_at != null)
    const times = recordedTimes(service.background.stores.readModels)
    expect(await times('shop.example', Date.now() - 5 * MINUTE)).to.have.length(1)
    expect(await times('shop.example', Date.now() + 5 * MINUTE)).to.have.length(0)
    await sink.stop()
  })
})
