import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { type ApiClient, apiClient, ok } from '../support/client.ts'
import { type Spawned, spawnMillrace } from '../support/millrace.ts'
import { startSink } from '../support/servers/smtp-sink.ts'
import { patience } from './form.ts'
import { type Audience, draftToAnns, fillAudience, orderToSend } from './kills/broadcasting.ts'
import { machineClock } from './kills/machine-clock.ts'
import { suiteDirectories } from './service-process.ts'

const HOUR_MS = 60 * 60 * 1000

/** The process is stopped before the time of a broadcast, and started again when the clock of the machine shows a later one. */
describe('a broadcast that falls due while nothing runs', function () {
  this.timeout(patience)
  const places = suiteDirectories('downtime')
  const addresses = ['a@down.example', 'b@down.example', 'c@down.example']
  let sink: Awaited<ReturnType<typeof startSink>>
  let clock: ReturnType<typeof machineClock>
  let data: string
  let audience: Audience
  let service: Spawned
  let api: ApiClient
  let id: number

  const start = async () => {
    const settings = { SMTP_URL: sink.url, MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com', MILLRACE_DEMO: '0' }
    service = await spawnMillrace(data, { ...settings, MILLRACE_LOG_LEVEL: 'fatal', ...clock.settings })
    api = apiClient(service.ready.origin, audience.token)
  }
  const broadcast = async () => ok(await api.get(`/emails/broadcasts/${id}`))
  const until = async (status: string) => {
    while ((await broadcast()).status !== status) await wait(50)
  }

  beforeEach(async () => {
    data = places.place()
    clock = machineClock(places.place())
    sink = await startSink()
    audience = await fillAudience(data, addresses)
    await start()
    id = await draftToAnns(api, audience.workspaceId)
    await orderToSend(api, id, { send_at: new Date(clock.now() + HOUR_MS).toISOString() })
    expect(await broadcast()).to.include({ status: 'scheduled' })
  })
  afterEach(async () => {
    await service?.stop('SIGKILL')
    await sink.stop()
    places.clear()
  })

  /** @param hours from the due time to the start of the next process */
  const comeBack = async (hours: number, signal: NodeJS.Signals) => {
    await service.stop(signal)
    clock.forward((1 + hours) * HOUR_MS)
    expect(sink.arrived).to.have.length(0)
    await start()
  }
  const arrived = () => sink.arrived.map(({ to }) => to[0]).sort()

  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    it(`14 34: is sent once when the process comes back 23 hours later, after ${signal}`, async () => {
      await comeBack(23, signal)
      await until('complete')
      expect(arrived()).to.deep.equal(addresses)
      await service.stop()
      await start()
      expect(await broadcast()).to.include({ status: 'complete' })
      expect(arrived()).to.deep.equal(addresses)
    })

  it('14 34: is paused and says why when it is more than 24 hours late, and goes out at a word', async () => {
    await comeBack(25, 'SIGTERM')
    await until('paused')
    expect((await broadcast()).status_reason).to.match(/due more than 24 hours ago/)
    await service.stop('SIGKILL')
    await start()
    expect(await broadcast()).to.include({ status: 'paused' })
    expect(arrived()).to.deep.equal([])
    ok(await api.post(`/emails/broadcasts/${id}/resume`))
    await until('complete')
    expect(arrived()).to.deep.equal(addresses)
  })
})
