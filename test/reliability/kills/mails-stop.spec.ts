import { expect } from 'chai'
import { eventually } from '../../support/eventually.ts'
import { filling } from '../../support/filled.ts'
import { type Filled, fillMailings } from '../../support/mailings.ts'
import { millrace, spawnMillrace } from '../../support/millrace.ts'
import { startWordSmtp } from '../../support/servers/word-smtp.ts'
import { patience } from '../form.ts'
import { suiteDirectories } from '../service-process.ts'

const RECIPIENTS = 60

describe('a stop while mails are under way', function () {
  this.timeout(patience)
  const places = suiteDirectories('mails-stop')
  after(() => places.clear())

  it('14 44: does not wait for slow servers: what was sent is in doubt, what waited is sent at the next start', async () => {
    const data = places.place()
    let isSilent = true
    const server = await startWordSmtp((line) => (line === '.' && isSilent ? 'silence' : undefined))
    const settings = { MILLRACE_LOG_LEVEL: 'fatal', SMTP_URL: server.url, MILLRACE_DEMO: '0' }
    const addresses = Array.from({ length: RECIPIENTS }, (_, n) => `s${n}@d${n}.example`)
    let filled: Filled | undefined
    await filling(data, async (background) => {
      filled = await fillMailings(background, [addresses])
    })
    const statuses = async () => {
      const { out } = await millrace(['mails', 'show', String(filled!.mailings[0]), '--json', '--data', data])
      const { deliveries } = JSON.parse(out) as { deliveries: { status: string }[] }
      return deliveries.map(({ status }) => status)
    }

    const first = await spawnMillrace(data, settings)
    await eventually(async () => {
      if (server.messages.length < 20) throw new Error(`only ${server.messages.length} under way`)
    })
    expect(await first.stop()).to.equal(0)
    const underWay = server.messages.length
    expect((await statuses()).filter((status) => status === 'waiting')).to.have.length(RECIPIENTS - underWay)

    isSilent = false
    const second = await spawnMillrace(data, settings)
    await eventually(async () => {
      const left = (await statuses()).filter((status) => status === 'waiting' || status === 'taken')
      if (left.length > 0) throw new Error(`${left.length} left`)
    })
    const all = await statuses()
    expect(all.filter((status) => status === 'in_doubt')).to.have.length(underWay)
    expect(all.filter((status) => status === 'sent')).to.have.length(RECIPIENTS - underWay)
    expect(server.messages).to.have.length(RECIPIENTS)
    await second.stop()
    await server.stop()
  })
})
