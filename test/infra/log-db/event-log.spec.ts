import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { type LogOptions, logFile, openSqliteLog } from '../../../infra/log-db/store.ts'
import { connect } from '../../../infra/sqlite/binding.ts'
import { modelled } from '../event-log/model.ts'
import { collect, event, events, type OpenLog, pause, taken, until } from '../event-log/setting.ts'
import { eventLogContract } from '../event-log.contract.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

async function openLog(options?: LogOptions): Promise<OpenLog & { path: string }> {
  const { path, remove } = temporaryDirectory()
  let { log } = await openSqliteLog(path, options)
  return {
    path,
    log,
    async reopen() {
      await log.close()
      log = (await openSqliteLog(path, options)).log
      return log
    },
    async cleanup() {
      await log.close()
      remove()
    },
  }
}

eventLogContract('The SQLite log', openLog)

describe('The SQLite log', () => {
  let current: Awaited<ReturnType<typeof openLog>>
  let now = 0
  beforeEach(async () => {
    now = 1_000_000
    current = await openLog({ now: () => now })
  })
  afterEach(() => current.cleanup())

  describe('deciding many appends in one batch', () => modelled(() => current, 8))

  it('gives dense positions from 0', async () => {
    const { log } = current
    expect(await log.lastPosition()).to.equal(-1)
    await Promise.all([0, 1, 2].map((n) => log.append({ stream: `s-${n}`, expected: -1, events: events(2) })))
    expect((await collect(log.readAll())).map((each) => each.position)).to.deep.equal([0, 1, 2, 3, 4, 5])
  })

  it('acknowledges nothing and reads nothing before it is on disk', async () => {
    const { log } = current
    const appended = log.append({ stream: 's', expected: -1, events: events(1), take: [{ key: 'k' }] })
    let acknowledged = false
    void appended.then(() => {
      acknowledged = true
    })
    while (!acknowledged) {
      const [read, all, head] = [
        await collect(log.readStream('s')),
        await collect(log.readAll()),
        await log.lastPosition(),
      ]
      if (acknowledged) break
      expect([read.length, all.length, head]).to.deep.equal([0, 0, -1])
      await new Promise(setImmediate)
    }
    expect(await collect(log.readStream('s'))).to.have.length(1)
  })

  it('answers the appends of a batch before it tells subscribers', async () => {
    const { log } = current
    const order: string[] = []
    const subscription = log.subscribe(() => void order.push('subscriber'))
    await pause(5)
    await log.append({ stream: 's', expected: -1, events: events(1) }).then(() => order.push('append'))
    await until(() => order.length === 2)
    expect(order).to.deep.equal(['append', 'subscriber'])
    await subscription.close()
  })

  it('refuses an append that repeats only some of its events', async () => {
    const { log } = current
    const [first, second] = events(2)
    taken(await log.append({ stream: 's', expected: -1, events: [first!], repeatable: true }))
    const result = await log.append({ stream: 's', expected: 0, events: [first!, second!], repeatable: true })
    expect(result).to.deep.equal({ ok: false, conflict: 'revision', actual: 0 })
  })

  it('keeps an append that cannot be stored from harming the others of its batch', async () => {
    const { log, reopen } = current
    const unheard = { never_seen_before: 1, nor_this: 2 }
    const circular: Record<string, unknown> = { ...unheard }
    circular.self = circular
    const impossible = event(circular as RecordedEvent['data'])
    const results = await Promise.allSettled([
      log.append({ stream: 'a', expected: -1, events: events(1) }),
      log.append({ stream: 'b', expected: -1, events: [event(unheard), impossible], take: [{ key: 'k' }] }),
      log.append({ stream: 'c', expected: -1, events: [event({ inner: unheard })] }),
      log.append({ stream: '', expected: -1, events: events(1) }),
      log.append({ stream: 'd', expected: -2, events: events(1) }),
    ])
    expect(results.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
    ])
    expect(await log.claimed('k')).to.equal(undefined)
    const again = await reopen()
    expect((await collect(again.readAll())).map((each) => each.stream)).to.deep.equal(['a', 'c'])
    expect((await collect(again.readStream('c')))[0]!.data).to.deep.equal({ inner: unheard })
  })

  it('reads from disk for a subscriber that is far behind, until it has caught up', async () => {
    const { log } = current
    const received: RecordedEvent[] = []
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const subscription = log.subscribe(async (batch) => {
      received.push(...batch)
      await gate
    })
    for (let n = 0; n < 60; n++) await log.append({ stream: `s-${n}`, expected: -1, events: events(100) })
    release()
    await until(() => received.length === 6000)
    expect(received).to.deep.equal(await collect(log.readAll()))
    await subscription.close()
  })

  it('takes the claims whose time has passed out of its file', async () => {
    const { log, path } = current
    for (let n = 0; n < 100; n++) {
      await log.append({ stream: `s-${n}`, expected: -1, events: [], take: [{ key: `lease-${n}`, until: now + n }] })
    }
    await log.append({ stream: 'kept', expected: -1, events: [], take: [{ key: 'kept', until: now + 5000 }] })
    now += 1000
    for (let n = 0; n < 3; n++) await log.append({ stream: 'other', expected: 'any', events: events(1) })
    await log.close()
    const file = connect(logFile(path), true)
    expect(file.prepare('SELECT key FROM claim').all()).to.deep.equal([{ key: 'kept' }])
    file.close()
  })

  it('finishes what is under way when it closes, and then refuses', async () => {
    const { log, reopen } = current
    const late = Array.from({ length: 30 }, (_, n) => log.append({ stream: `s-${n}`, expected: -1, events: events(1) }))
    await log.close()
    expect((await Promise.all(late)).every((result) => result.ok)).to.equal(true)
    for (const refused of [
      () => log.append({ stream: 's', expected: -1, events: events(1) }),
      () => collect(log.readAll()),
      () => collect(log.readStream('s-1')),
      () => log.claimed('k'),
      async () => log.subscribe(() => {}),
    ]) {
      const error = await refused().then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      expect(error?.message).to.equal('The event log has been closed.')
    }
    expect(await collect((await reopen()).readAll())).to.have.length(30)
  })
})
