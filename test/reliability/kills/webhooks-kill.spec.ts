import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import type { Background } from '../../../infra/runtime/background.ts'
import { filling, openBackground, writer } from '../../support/filled.ts'
import { spawnMillrace } from '../../support/millrace.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { byForm } from '../form.ts'

const CONTACTS = byForm(80, 500)
const CHANGES = 9
const EVENTS = CONTACTS * (CHANGES + 1)
const KILLS = byForm(2, 20)

describe(`webhooks whose worker is killed ${KILLS} times while ${EVENTS} events are due`, function () {
  this.timeout(180_000)
  let data: string
  let receiver: Receiver
  let published: RecordedEvent[]
  let delivered: RecordedEvent[]

  const fill = async (background: Background): Promise<void> => {
    const write = await writer(background)
    await write.endpoint(receiver.url, ['$contact.created', '$contact.updated'])
    const ids = await Promise.all(Array.from({ length: CONTACTS }, (_, index) => write.contact(`contact ${index}`)))
    for (let change = 1; change <= CHANGES; change++) await Promise.all(ids.map((id) => write.rename(id, `v${change}`)))
  }

  const outcome = async (): Promise<void> => {
    const background = await openBackground(data)
    published = []
    delivered = []
    for await (const event of background.stores.log.readAll()) {
      if (event.type === 'WebhookEventPublished') published.push(event)
      if (event.type === 'WebhookDelivered') delivered.push(event)
    }
    await background.stop()
  }

  const uuids = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'] as string))

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-kill-'))
    receiver = await startReceiver()
    receiver.behave((_received, response) => void setTimeout(() => response.end(), 10))
    await filling(data, fill)
    const { below } = random(seedOfRun())
    const settings = { MILLRACE_ALLOW_PRIVATE_TARGETS: '1', MILLRACE_DEMO: '0', MILLRACE_LOG_LEVEL: 'fatal' }
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await spawnMillrace(data, settings)
      const enough = receiver.received.length + 1 + below(150)
      while (receiver.received.length < enough) await wait(1)
      expect(uuids().size, `kill ${kill} came when everything was delivered`).to.be.below(EVENTS)
      await service.stop('SIGKILL')
    }
    const service = await spawnMillrace(data, settings)
    while (uuids().size < EVENTS) await wait(50)
    await wait(500)
    await service.stop()
    await outcome()
  })
  after(async () => {
    await receiver?.close()
    await rm(data, { recursive: true, force: true })
  })

  it('are all delivered, some of them more than once', () => {
    expect(uuids().size).to.equal(EVENTS)
    expect(receiver.received.length).to.be.greaterThan(EVENTS)
    expect(receiver.received.length).to.be.lessThan(EVENTS * 1.5)
  })

  it('have the same webhook-id and data in each delivery', () => {
    const first = new Map<string, string>()
    for (const { headers, body } of receiver.received) {
      const id = headers['webhook-id'] as string
      expect(body).to.equal(first.get(id) ?? body)
      first.set(id, body)
    }
  })

  it('are delivered in the order of their sequence for every subject', () => {
    const newest = new Map<number, number>()
    for (const { json } of receiver.received) {
      expect(json.sequence).to.be.at.least(newest.get(json.subject_id) ?? 0)
      newest.set(json.subject_id, json.sequence)
    }
    expect([...newest.values()]).to.deep.equal(Array.from({ length: CONTACTS }, () => CHANGES))
  })

  it('are published once each, and the log and the receiver agree', () => {
    expect(published.map(({ data: { uuid } }) => uuid)).to.have.members([...uuids()])
    const deliveries = published.flatMap(({ data: { deliveries: all } }) => all as { delivery_id: number }[])
    expect(deliveries).to.have.length(EVENTS)
    expect(new Set(delivered.map(({ data: { delivery_id } }) => delivery_id))).to.deep.equal(
      new Set(deliveries.map(({ delivery_id }) => delivery_id)),
    )
    expect(delivered).to.have.length(EVENTS)
  })
})
