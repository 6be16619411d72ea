import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { type DeliveryRecord, delivery } from '../../../domain/emails/public.ts'
import { BOUNDS } from '../../../infra/mail/connections.ts'
import { filling, openBackground } from '../../support/filled.ts'
import { type Filled, fillMailings } from '../../support/mailings.ts'
import { millrace, spawnMillrace } from '../../support/millrace.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { suiteDirectories } from '../service-process.ts'

const KILLS = byForm(2, 20)
const MAILINGS = byForm(3, 12)
const RECIPIENTS = 100
const ALL = MAILINGS * RECIPIENTS
/** Mails to one domain begin five at once, so several domains leave less waiting. */
const DOMAINS = 4

describe(`mails whose worker is killed ${KILLS} times while ${ALL} are due`, function () {
  this.timeout(patience)
  const places = suiteDirectories('mails')
  let sink: Awaited<ReturnType<typeof startSink>>
  let deliveries: readonly DeliveryRecord[]
  let addresses: ReadonlyMap<number, string>
  let data: string

  const read = async ({ mailings }: Filled) => {
    const background = await openBackground(data)
    const { live } = background.stores.readModels
    const found = await live.find(delivery.name, { where: { mailing_id: { $in: [...mailings] } } })
    deliveries = found as unknown as DeliveryRecord[]
    await background.stop()
  }

  const countOf = (status: string) => deliveries.filter((one) => one.status === status).length

  before(async () => {
    data = places.place()
    sink = await startSink({
      message: async () => {
        await wait(10)
        return undefined
      },
    })
    const settings = { MILLRACE_LOG_LEVEL: 'fatal', SMTP_URL: sink.url, MILLRACE_DEMO: '0' }
    const lists = Array.from({ length: MAILINGS }, (_, mailing) =>
      Array.from({ length: RECIPIENTS }, (_, n) => `m${mailing}n${n}@d${n % DOMAINS}.example`),
    )
    let filled: Filled | undefined
    await filling(data, async (background) => {
      filled = await fillMailings(background, lists)
      const found = await background.stores.readModels.live.find(delivery.name, {
        where: { mailing_id: { $in: [...filled.mailings] } },
      })
      const names = lists.flat()
      addresses = new Map(found.map(({ id }, index) => [Number(id), names[index]!]))
    })
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await spawnMillrace(data, settings)
      const enough = sink.arrived.length + 1 + places.chance.below(ALL / KILLS / 4)
      while (sink.arrived.length < enough) await wait(1)
      await service.stop('SIGKILL')
    }
    const service = await spawnMillrace(data, settings)
    for (let left = 1; left > 0; await wait(50)) {
      const { out } = await millrace(['mails', 'list', '--json', '--data', data])
      left = out.split('\n').filter((line) => line !== '').length
    }
    await service.stop()
    await read(filled!)
  })
  after(async () => {
    await sink?.stop()
    places.clear()
  })

  it('14 44: nobody gets a mail twice, and nobody is missed whose mail is not in doubt', () => {
    expect(deliveries).to.have.length(ALL)
    const times = new Map<string, number>()
    for (const { to } of sink.arrived) times.set(to[0]!, (times.get(to[0]!) ?? 0) + 1)
    for (const { id, status } of deliveries) {
      const count = times.get(addresses.get(id)!) ?? 0
      if (status === 'in_doubt') expect(count).to.be.at.most(1)
      else expect([status, count], `mail ${id}`).to.deep.equal(['sent', 1])
    }
    const doubtful = countOf('in_doubt')
    expect(doubtful)
      .to.be.greaterThan(0)
      .and.at.most(KILLS * BOUNDS.connections)
    printFigures('mails', `${KILLS} kills, ${ALL} mails: ${countOf('sent')} sent once, ${doubtful} in doubt`)
  })

  it('14 44: mails in doubt are listed with their Message-IDs, and sent again when that is ordered', async () => {
    const listed = await millrace(['mails', 'list', '--doubt', '--json', '--data', data])
    const all = listed.out.trim().split('\n')
    const mails = all.map((line) => JSON.parse(line) as { id: number; message_id: string; reason: string })
    expect(mails.map(({ id }) => id)).to.have.members(
      deliveries.filter(({ status }) => status === 'in_doubt').map(({ id }) => id),
    )
    const arrivedIds = sink.arrived.map(({ source }) => /^Message-ID: (.*)$/im.exec(source.toString())?.[1])
    for (const { message_id } of mails) expect(message_id).to.match(/^<[0-9a-f]+@shop\.example>$/)
    const [chosen] = mails
    const before = arrivedIds.filter((id) => id === chosen!.message_id).length
    const service = await spawnMillrace(data, { MILLRACE_LOG_LEVEL: 'fatal', SMTP_URL: sink.url, MILLRACE_DEMO: '0' })
    const again = await millrace(['mails', 'send-again', String(chosen!.id), '--data', data])
    expect(again).to.include({ code: 0, out: `${chosen!.id} is sent again\n` })
    const count = () => sink.arrived.filter(({ source }) => source.includes(chosen!.message_id)).length
    for (const begun = Date.now(); count() === before && Date.now() - begun < 10_000; ) await wait(20)
    expect(count()).to.equal(before + 1)
    const refused = await millrace(['mails', 'send-again', '999', '--data', data])
    expect(refused.code).to.equal(1)
    expect(refused.err).to.contain('there is no mail 999')
    await service.stop()
  })
})
