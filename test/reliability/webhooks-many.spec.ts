import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { filling, writer } from '../support/filled.ts'
import { spawnMillrace } from '../support/millrace.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { byForm } from './form.ts'

const SETTINGS = { MILLRACE_ALLOW_PRIVATE_TARGETS: '1', MILLRACE_DEMO: '0', MILLRACE_LOG_LEVEL: 'fatal' }
/** Most attempts at an endpoint that a kill can leave unrecorded. */
const MOST_TWICE = 64
/** Contacts that each of ten endpoints is notified of when the service is killed. */
const TOLD_OF = byForm(100, 400)
const CONTACTS = byForm(40, 100)

describe('webhooks to many endpoints', () => {
  let data: string
  let receiver: Receiver
  beforeEach(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-many-'))
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await receiver.close()
    await rm(data, { recursive: true, force: true })
  })

  const fill = (endpoints: number, contacts: number): Promise<void> =>
    filling(data, async (background) => {
      const write = await writer(background)
      await Promise.all(
        Array.from({ length: endpoints }, (_, n) => write.endpoint(`${receiver.url}/${n}`, ['$contact.created'])),
      )
      await Promise.all(Array.from({ length: contacts }, (_, n) => write.contact(`contact ${n}`)))
    })

  const deliver = async (until: () => boolean): Promise<void> => {
    const service = await spawnMillrace(data, SETTINGS)
    for (let waited = 0; !until() && waited < 40_000; waited += 20) await wait(20)
    await wait(300)
    await service.stop()
  }

  /** Number of deliveries by endpoint and event. */
  const deliveryCounts = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>()
    for (const { headers, target } of receiver.received) {
      const key = `${target} ${headers['webhook-id']}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  it(`reach each of 30 endpoints once for each of ${CONTACTS} contacts`, async () => {
    await fill(30, CONTACTS)
    await deliver(() => receiver.received.length >= 30 * CONTACTS)
    expect(receiver.received).to.have.length(30 * CONTACTS)
    expect(deliveryCounts().size).to.equal(30 * CONTACTS)
  })

  it('reach each of 200 endpoints once for one contact', async () => {
    await fill(200, 1)
    await deliver(() => receiver.received.length >= 200)
    expect(receiver.received).to.have.length(200)
    expect(deliveryCounts().size).to.equal(200)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
  })

  it('are repeated after a kill only when the answer was not recorded', async () => {
    await fill(10, TOLD_OF)
    receiver.behave((_received, response) => void setTimeout(() => response.end(), 20))
    const service = await spawnMillrace(data, SETTINGS)
    while (receiver.received.length < 5 * TOLD_OF) await wait(1)
    await service.stop('SIGKILL')
    await deliver(() => deliveryCounts().size === 10 * TOLD_OF)
    const counts = deliveryCounts()
    expect(counts.size).to.equal(10 * TOLD_OF)
    const again = new Map<string, number>()
    for (const [key, count] of counts) {
      const [target = ''] = key.split(' ')
      again.set(target, (again.get(target) ?? 0) + count - 1)
    }
    for (const [target, count] of again) expect(count, target).to.be.at.most(MOST_TWICE)
  })
})
