import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { filling } from '../../support/filled.ts'
import { type Filled, fillMailings } from '../../support/mailings.ts'
import { millrace, spawnMillrace } from '../../support/millrace.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { patience } from '../form.ts'
import { suiteDirectories } from '../service-process.ts'

const KILLS = 3
const LIMIT = 6
const DOMAINS = 4
const RECIPIENTS = 24
/** Time in which a service that forgets what went before would send more. */
const LOOKED_FOR_MS = 2000

describe('rates of mail over kills', function () {
  this.timeout(patience)
  const places = suiteDirectories('mail-rates')
  let data: string
  let sink: Awaited<ReturnType<typeof startSink>>
  let filled: Filled | undefined

  before(async () => {
    data = places.place()
    sink = await startSink()
    const addresses = Array.from({ length: RECIPIENTS }, (_, n) => `r${n}@d${n % DOMAINS}.example`)
    await filling(data, async (background) => {
      filled = await fillMailings(background, [addresses.slice(0, 12), addresses.slice(12)])
    })
  })
  after(async () => {
    await sink?.stop()
    places.clear()
  })

  const arrivedAt = (domain: string) => sink.arrived.filter(({ to }) => to[0]!.endsWith(`@${domain}`)).length
  const run = (...args: readonly string[]) => millrace(['mails', ...args, '--data', data])
  const outcomes = async (): Promise<readonly string[]> => {
    const shown = await Promise.all(filled!.mailings.map((id) => run('show', String(id), '--json')))
    return shown.flatMap(({ out }) => JSON.parse(out).deliveries.map(({ status }: { status: string }) => status))
  }

  it('14 45: are kept over kills, by sending and by receiving domain, and changed while mails wait', async () => {
    const settings = {
      ...{ MILLRACE_LOG_LEVEL: 'fatal', MILLRACE_DEMO: '0', SMTP_URL: sink.url },
      ...{ MILLRACE_MAIL_RATE: `${LIMIT}/1h`, MILLRACE_MAIL_RECEIVING_RATE: 'd0.example=1/1h' },
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await spawnMillrace(data, settings)
      while (sink.arrived.length === 0) await wait(5)
      if (kill > 0) await wait(LOOKED_FOR_MS)
      await service.stop('SIGKILL')
    }
    expect(sink.arrived.length).to.be.at.most(LIMIT)
    expect(arrivedAt('d0.example')).to.be.at.most(1)
    const service = await spawnMillrace(data, settings)
    await run('rates', '--sending', 'none')
    const open = async () => (await outcomes()).filter((status) => status === 'waiting' || status === 'taken').length
    const atMost = RECIPIENTS / DOMAINS
    while ((await open()) > atMost) await wait(50)
    await wait(LOOKED_FOR_MS)
    expect(arrivedAt('d0.example')).to.be.at.most(1)
    await run('rates', '--receiving', 'none')
    while ((await open()) > 0) await wait(50)
    const all = await outcomes()
    const doubt = all.filter((status) => status === 'in_doubt').length
    expect(all.filter((status) => status === 'sent')).to.have.length(RECIPIENTS - doubt)
    expect(new Set(sink.arrived.map(({ to }) => to[0])).size, 'nobody twice').to.equal(sink.arrived.length)
    expect(sink.arrived.length).to.be.within(RECIPIENTS - doubt, RECIPIENTS)
    await service.stop()
  })
})
