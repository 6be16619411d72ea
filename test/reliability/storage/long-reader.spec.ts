import { expect } from 'chai'
import { logFile, openSqliteLog } from '../../../infra/log-db/store.ts'
import { connect } from '../../../infra/sqlite/binding.ts'
import { collect, event, taken } from '../../infra/event-log/setting.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { firstLife } from '../history.ts'
import { send } from '../ledger.ts'
import { type SuiteDirectories, suiteDirectories } from '../service-process.ts'

const EVENTS = 20_000
const AT_ONCE = 20
const POSTS = byForm(100, 3000)
const MIB = 1024 * 1024
/** Permanent size limit of the write-ahead log. */
const KEPT_BYTES = 64 * MIB

describe('a long read of the log', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  before(() => {
    places = suiteDirectories('reader')
  })
  after(() => places.clear())

  const readerOf = (data: string) => {
    const db = connect(logFile(data), true)
    const last = () => (db.prepare('SELECT max(position) AS last FROM event').get() as { last: number }).last
    db.exec('BEGIN')
    return { seen: last(), last, end: () => db.exec('COMMIT'), close: () => db.close() }
  }

  it('delays neither writes nor reads, and afterwards the write-ahead log is reused', async () => {
    const data = places.place()
    const { log, writeAheadBytes } = await openSqliteLog(data)
    let made = 0
    const write = async (events: number) => {
      for (const end = made + events; made < end; ) {
        const appends = Array.from({ length: AT_ONCE }, () => ({
          stream: `s-${++made}`,
          expected: -1,
          events: [event({ text: 'x'.repeat(300) })],
        }))
        for (const result of await Promise.all(appends.map((each) => log.append(each)))) taken(result)
        if (made % 2000 === 0) expect(await collect(log.readStream(`s-${made - 5}`))).to.have.length(1)
      }
    }
    await write(AT_ONCE)
    const reader = readerOf(data)
    const before = writeAheadBytes()
    await write(EVENTS)
    const during = writeAheadBytes()
    expect(reader.last(), 'what the reader sees').to.equal(reader.seen)
    expect(during - before, 'bytes beside the log').to.be.greaterThan(EVENTS * 300)
    reader.end()
    expect(reader.last()).to.equal(reader.seen + EVENTS)
    reader.close()

    // Some checkpoints later the write-ahead log has restarted.
    await write(EVENTS)
    const after = writeAheadBytes()
    await write(EVENTS)
    const later = writeAheadBytes()
    expect(later, 'bytes beside the log, some time later').to.be.at.most(KEPT_BYTES)
    expect(later).to.equal(after)
    expect((await collect(log.readAll())).length).to.equal(made)
    await log.close()
    expect(writeAheadBytes(), 'after the end').to.equal(0)
    const sizes = [before, during, after, later].map((bytes) => (bytes / MIB).toFixed(1))
    printFigures('long reader', `${EVENTS} events beside it: the write-ahead log from ${sizes.join(' to ')} MiB`)
  })

  it('is seen in the metric of the service, which goes on', async () => {
    const data = places.place()
    const { life, target } = await firstLife(data)
    const bytes = async () => {
      const text = await (await fetch(`${target.url}/metrics`)).text()
      return Number(/^millrace_write_ahead_bytes\{file="log"\} (\d+)$/m.exec(text)?.[1])
    }
    const reader = readerOf(data)
    const before = await bytes()
    for (let number = 0; number < POSTS; number++) {
      const body = { contact: { first_name: `Reader ${number}`, email_address: `r${number}@example.com` } }
      const made = await send(target, 'POST', `/workspaces/${target.workspaceId}/contacts`, { body })
      expect(made?.status).to.equal(201)
      expect((await send(target, 'GET', `/contacts/${made!.body.id}`))?.body.first_name).to.equal(`Reader ${number}`)
    }
    expect(await bytes()).to.be.greaterThan(before + POSTS * 4096)
    expect(reader.last()).to.equal(reader.seen)
    reader.close()
    expect(await life.stop()).to.equal(0)
  })
})
