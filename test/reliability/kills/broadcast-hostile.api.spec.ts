import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { DeliveryRecord } from '../../../domain/emails/public.ts'
import { type ApiClient, apiClient } from '../../support/client.ts'
import { type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { random } from '../../support/random.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { peakMiB } from '../process-costs.ts'
import { suiteDirectories } from '../service-process.ts'
import { type Audience, deliveriesIn, draftToAnns, fillAudience, orderToSend } from './broadcasting.ts'
import { type Habit, type Seen, startHostileSmtp } from './hostile-smtp.ts'
import { machineClock } from './machine-clock.ts'

const CONTACTS = byForm(600, 100_000)
const KILLS = byForm(2, 10)
const DOMAINS = 20
const SOCKET_WAIT_MS = byForm(1500, 5000)
const MINUTE = 60_000
/** Without a mail for so long, what is left waits for a time that is to come. */
const QUIET_MS = byForm(200, 2000)
const UNHEARD_MS = 5000
/** What `npm start` starts the service with. */
const STARTED_WITH = '--max-semi-space-size=32'
const MOST_MIB = 400

/** What becomes of a mail in the end that no kill has met. */
const OUTCOMES: Readonly<Record<Habit, DeliveryRecord['status']>> = {
  ...{ takes: 'sent', later: 'sent', full: 'sent', drops: 'sent', cuts: 'sent', crowded: 'sent' },
  ...{ unknown: 'bounced', policy: 'failed', never: 'failed', refuses: 'failed', silent: 'failed' },
  ...{ hangs: 'failed', busy: 'failed' },
  ...{ stalls: 'in_doubt', vanishes: 'in_doubt' },
}

describe(`a broadcast to ${CONTACTS} over a server that does all that servers do, with ${KILLS} kills`, function () {
  this.timeout(patience)
  const places = suiteDirectories('hostile')
  let smtp: Awaited<ReturnType<typeof startHostileSmtp>>
  let clock: ReturnType<typeof machineClock>
  let data: string
  let audience: Audience
  let service: Spawned
  let api: ApiClient
  let id: number
  let action: number
  let memory = 0
  const addresses = Array.from({ length: CONTACTS }, (_, n) => `c${n}@d${n % DOMAINS}.example`)

  const start = async () => {
    const NODE_OPTIONS = `${clock.settings.NODE_OPTIONS} ${STARTED_WITH}`
    const settings = { SMTP_URL: smtp.url, MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com', MILLRACE_DEMO: '0' }
    service = await spawnMillrace(data, { ...settings, MILLRACE_LOG_LEVEL: 'fatal', ...clock.settings, NODE_OPTIONS })
    api = apiClient(service.ready.origin, audience.token)
  }
  const broadcast = async () => createdBody(await api.get(`/emails/broadcasts/${id}`))
  /** Waits until something is so. Whenever what was due has been tried and nothing else happens, the clock goes on. */
  const goOn = async (aheadMs: number, isSo: () => Promise<boolean> | boolean, unheardMs = UNHEARD_MS) => {
    let [heard, since, hasHeard] = [smtp.heard, performance.now(), true]
    for (; !(await isSo()); await wait(5)) {
      if (smtp.heard > heard) [heard, since, hasHeard] = [smtp.heard, performance.now(), true]
      if (performance.now() - since < (hasHeard ? QUIET_MS : unheardMs)) continue
      clock.forward(aheadMs)
      ;[since, hasHeard] = [performance.now(), false]
    }
  }
  const measured = () => {
    memory = Math.max(memory, peakMiB(service.child.pid!))
  }

  before(async () => {
    data = places.place()
    clock = machineClock(places.place(), SOCKET_WAIT_MS)
    smtp = await startHostileSmtp(addresses, random(places.chance.below(2 ** 31)), 1000 / Math.max(CONTACTS, 1000))
    audience = await fillAudience(data, addresses)
    await start()
    id = await draftToAnns(api, audience.workspaceId)
  })
  after(async () => {
    await service?.stop('SIGKILL')
    await smtp?.stop()
    places.clear()
  })

  it('14 31: a refused log-in makes it unhealthy; nobody has an outcome, and it recovers', async () => {
    smtp.lock(true)
    action = await orderToSend(api, id)
    await goOn(5 * MINUTE, async () => (await broadcast()).status === 'unhealthy', QUIET_MS)
    expect(smtp.taken).to.equal(0)
    smtp.lock(false)
    // A clock that jumps while a connection is being made ends that.
    expect((await broadcast()).status_reason).to.match(/refuses the log-in|cannot be reached/)
    expect(createdBody(await api.get(`/emails/broadcasts/send_actions/${action}`))).to.include({ performed_count: 0 })
    await goOn(5 * MINUTE, async () => (await broadcast()).status === 'sending', QUIET_MS)
  })

  it('14 23, 24, 30, 38, 41: sends to each once, over kills, whatever the server does with others', async () => {
    const begun = performance.now()
    for (let kill = 1; kill <= KILLS; kill++) {
      const enough = (kill * CONTACTS * 0.8) / (KILLS + 1)
      await goOn(30 * MINUTE, () => smtp.taken >= enough)
      measured()
      await service.stop('SIGKILL')
      await start()
    }
    const seconds = (performance.now() - begun) / 1000
    const rate = Math.round(smtp.taken / seconds)
    await goOn(9 * 60 * MINUTE, async () => (await broadcast()).complete_at !== null)
    measured()
    printFigures('broadcast-hostile', `${rate} mails/s while it is killed; ${Math.round(memory)} MiB resident at most`)
    expect(memory).to.be.below(MOST_MIB)
  })

  it('14 24: has one outcome for each, which add up to target_count, and those that the server knows of', async () => {
    const { progress, outcomes } = createdBody(await api.get(`/emails/broadcasts/${id}/stats`))
    const shown = createdBody(await api.get(`/emails/broadcasts/send_actions/${action}`))
    expect([shown.target_count, shown.performed_count, progress.total]).to.deep.equal([CONTACTS, CONTACTS, CONTACTS])
    expect(await service.stop()).to.equal(0)
    const deliveries = await deliveriesIn(data, id)
    const counted: Record<string, number> = Object.fromEntries(Object.keys(outcomes).map((outcome) => [outcome, 0]))
    for (const { status } of deliveries) counted[status] = (counted[status] ?? 0) + 1
    expect(outcomes).to.deep.equal(counted)
    expect(Object.values(counted).reduce((sum, count) => sum + count, 0)).to.equal(CONTACTS)

    const byContact = new Map(deliveries.map((one) => [one.contact_id, one]))
    expect(byContact.size).to.equal(CONTACTS)
    const wrong: (readonly [string, Seen, string])[] = []
    for (const address of addresses) {
      const seen = smtp.seen(address)
      const { status } = byContact.get(audience.contacts.get(address)!)!
      const arrived = seen.taken + seen.unanswered
      const isRight = status === 'in_doubt' ? arrived <= 1 : status === OUTCOMES[seen.habit]
      const isTold = status === 'in_doubt' || arrived === (status === 'sent' ? 1 : 0)
      if (!isRight || !isTold) wrong.push([address, seen, status])
    }
    expect(wrong).to.deep.equal([])
    const text = Object.entries(counted)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(', ')
    printFigures('broadcast-hostile', `${KILLS} kills, ${CONTACTS} contacts: ${text}; nobody twice`)
  })
})
