import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import type { EventStoreLog } from '../../../infra/eventstoredb/event-store-log.ts'
import { openEventStoreLog } from '../../../infra/eventstoredb/open.ts'
import { faulty, wellBehaved } from '../../servers/eventstoredb/faults.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { collect, event, events, fresh, pause, taken, until } from '../event-log/setting.ts'

const RECONNECTS = 100
const encoder = new TextEncoder()

describe('A subscription to EventStoreDB', () => {
  let server: TestServer
  let log: EventStoreLog

  beforeEach(async () => {
    server = await TestServer.start()
    log = openEventStoreLog({ url: server.url, patienceMs: 2000, backoff: { firstMs: 1, mostMs: 5 } })
  })
  afterEach(async () => {
    server.misbehave = wellBehaved
    await log.close()
    await server.stop()
  })

  /** Appends one event after the other, each exactly once, also when the connection is lost. */
  const writeWhile = async (name: string, goOn: (written: number) => boolean) => {
    const stream = fresh(name)
    for (let n = 0; goOn(n); n++) taken(await log.append({ stream, expected: n - 1, events: [event({ n })] }))
  }
  const write = (name: string, count: number) => writeWhile(name, (written) => written < count)

  const positions = (received: readonly RecordedEvent[]) => received.map(({ position }) => position)

  it(`hands over every event once and in order over ${RECONNECTS} reconnects while events are written`, async () => {
    const received: RecordedEvent[] = []
    let connections = 0
    server.misbehave = ({ method }) => void (method === 'subscribe' && connections++)
    const subscription = log.subscribe((batch) => void received.push(...batch), { batchSize: 7 })
    const writing = Promise.all(['a', 'b', 'c'].map((name) => writeWhile(name, () => connections <= RECONNECTS)))
    while (connections <= RECONNECTS) {
      const [lost, before] = [connections, received.length]
      await until(() => received.length > before)
      if (lost % 25 === 24) await server.restart(2)
      else server.drop()
      await until(() => connections > lost)
    }
    await writing
    const end = await log.lastPosition()
    await until(() => (received.at(-1)?.position ?? -1) >= end)
    await pause(20)
    expect(received.length).to.be.greaterThan(RECONNECTS)
    expect(positions(received)).to.deep.equal(positions(await collect(log.readAll())))
    await subscription.close()
  })

  it('leaves out what a server sends twice', async () => {
    await write('a', 50)
    server.misbehave = faulty('duplicate', ({ method }) => method === 'subscribe', Number.POSITIVE_INFINITY)
    const received: RecordedEvent[] = []
    const subscription = log.subscribe((batch) => void received.push(...batch))
    await until(() => received.length >= 50)
    await write('b', 10)
    await until(() => received.length >= 60)
    await pause(20)
    expect(positions(received)).to.deep.equal(positions(await collect(log.readAll())))
    await subscription.close()
  })

  it('hands over nothing but the events of the domain', async () => {
    const foreign = (type: string, contentType: string, metadata: object) =>
      server.store.append('foreign-1', 'any', [
        {
          id: crypto.randomUUID(),
          type,
          contentType,
          data: encoder.encode('{}'),
          metadata: encoder.encode(JSON.stringify(metadata)),
        },
      ])
    const received: RecordedEvent[] = []
    const subscription = log.subscribe((batch) => void received.push(...batch))
    const { position } = taken(
      await log.append({ stream: fresh('a'), expected: -1, events: events(2), take: [{ key: fresh('k') }] }),
    )
    server.store.system('$stats-127.0.0.1:2113', '$statsCollected', {})
    foreign('$>', 'application/json', { at: 'then' })
    foreign('TestEvent', 'application/json', {})
    foreign('Bytes', 'application/octet-stream', { at: 'then' })
    await log.append({ stream: fresh('a'), expected: -1, events: [], take: [{ key: fresh('k') }] })
    expect(await log.lastPosition()).to.equal(position)
    expect(await collect(log.readAll())).to.have.length(2)
    await log.append({ stream: fresh('a'), expected: -1, events: events(1) })
    await until(() => received.length >= 3)
    expect(received).to.deep.equal(await collect(log.readAll()))
    await subscription.close()
  })

  it('is not overrun by a server that is faster than its subscriber', async () => {
    const stream = fresh('a')
    for (let n = 0; n < 12; n++) await log.append({ stream, expected: 500 * n - 1, events: events(500) })
    const before = server.eventsSent
    let batches = 0
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let taken = 0
    const subscription = log.subscribe(
      async (batch) => {
        batches++
        taken += batch.length
        await gate
      },
      { batchSize: 10 },
    )
    await until(() => batches === 1)
    await pause(200)
    expect(server.eventsSent - before).to.be.lessThan(3000)
    release()
    await until(() => taken === 6000)
    await subscription.close()
  })

  it('waits for a server that scans a long log', async () => {
    await write('a', 1)
    for (let n = 0; n < 4000; n++) server.store.system('$stats-127.0.0.1:2113', '$statsCollected', {})
    await write('b', 1)
    server.misbehave = faulty('slow', ({ method }) => method === 'subscribe', Number.POSITIVE_INFINITY)
    const impatient = openEventStoreLog({ url: server.url, patienceMs: 600, backoff: { firstMs: 1, mostMs: 5 } })
    const began = Date.now()
    expect(await collect(impatient.readAll())).to.have.length(2)
    expect(Date.now() - began).to.be.greaterThan(400)
    await impatient.close()
  })

  it('notices a connection that has fallen silent', async () => {
    server.misbehave = faulty('stallBefore', ({ method }) => method === 'subscribe')
    const silent = openEventStoreLog({ url: server.url, patienceMs: 200, backoff: { firstMs: 1, mostMs: 5 } })
    const received: RecordedEvent[] = []
    const subscription = silent.subscribe((batch) => void received.push(...batch))
    await write('a', 5)
    await until(() => received.length === 5)
    await subscription.close()
    await silent.close()
  })

  it('continues silently where it was when the server cuts it off as too slow', async () => {
    const said: string[] = []
    const own = openEventStoreLog({ url: server.url, onWaiting: (message) => said.push(message) })
    server.misbehave = faulty('cutOff', ({ method }) => method === 'subscribe', 5)
    const received: RecordedEvent[] = []
    const subscription = own.subscribe((batch) => void received.push(...batch))
    await write('a', 200)
    await until(() => received.length === 200)
    expect(positions(received)).to.deep.equal(positions(await collect(own.readAll())))
    expect(said).to.deep.equal([])
    await subscription.close()
    await own.close()
  })

  it('begins when the server comes up, reports that it waits, and can be closed before', async () => {
    await server.stop()
    const said: string[] = []
    const early = openEventStoreLog({ url: server.url, onWaiting: (message) => said.push(message) })
    const received: RecordedEvent[] = []
    let live = 0
    const subscription = early.subscribe((batch) => void received.push(...batch), { onLive: () => live++ })
    const closed = early.subscribe(() => {})
    await until(() => said.length === 1)
    expect(early.lostSince).to.be.closeTo(Date.now(), 1000)
    await closed.close()
    expect(said[0]).to.match(
      /^EventStoreDB cannot be reached at esdb:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED .*; trying again$/,
    )
    await server.restart()
    await until(() => live === 1)
    await write('a', 3)
    await until(() => received.length === 3)
    expect(said.slice(1)).to.have.length(1)
    expect(said[1]).to.match(/answers again, after \d+\.\d s$/)
    expect(early.lostSince).to.equal(undefined)
    await subscription.close()
    await early.close()
  })

  it('continues a long read where it was when its connection is lost', async () => {
    const stream = fresh('a')
    for (let n = 0; n < 4; n++) await log.append({ stream, expected: 500 * n - 1, events: events(500) })
    const drops = (source: AsyncIterable<RecordedEvent>) => dropping(server, source)
    const all = await collect(log.readAll())
    expect(positions(await drops(log.readAll()))).to.deep.equal(positions(all))
    expect(positions(await drops(log.readStream(stream)))).to.deep.equal(positions(all))
    expect(positions(await drops(log.readStream(stream, { backwards: true })))).to.deep.equal(positions(all.reverse()))
  })
})

/** Reads all events, and breaks the connections from time to time. */
async function dropping(server: TestServer, source: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const taken: RecordedEvent[] = []
  for await (const each of source) {
    taken.push(each)
    if (taken.length % 400 !== 0) continue
    server.drop()
    await pause(5)
  }
  return taken
}
