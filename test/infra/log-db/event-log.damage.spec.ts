import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { logFile, openSqliteLog } from '../../../infra/log-db/store.ts'
import { connect } from '../../../infra/sqlite/binding.ts'
import { Child } from '../children/child.ts'
import { collect, event, events } from '../event-log/setting.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

describe('The SQLite log, given a file that is not in order', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let path: string
  let file: string
  beforeEach(() => {
    directory = temporaryDirectory()
    path = join(directory.path, 'data')
    mkdirSync(path)
    file = logFile(path)
  })
  afterEach(() => directory.remove())

  async function filled(count: number): Promise<void> {
    const { log } = await openSqliteLog(path)
    for (let n = 0; n < count; n += 500) await log.append({ stream: `s-${n}`, expected: -1, events: events(500) })
    await log.close()
  }

  /** Kills a writer, so that its last writes are only in the write-ahead log. */
  async function killed(): Promise<void> {
    const child = new Child('append-for-ever', [path, '0', '5', '50'])
    await child.line(200)
    await child.end('SIGKILL')
  }

  async function refusal(): Promise<string> {
    const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex')
    const before = digest()
    const error = await openSqliteLog(path).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error).to.be.an('error')
    expect(digest()).to.equal(before)
    return error!.message
  }

  /** Flips a bit of the text in the file without SQLite, as a faulty disk does. */
  function flip(text: string): void {
    const content = readFileSync(file)
    const at = content.indexOf(text)
    expect(at, text).to.be.greaterThan(0)
    content[at]! ^= 1
    writeFileSync(file, content)
  }

  it('creates its files for its owner alone', async () => {
    const { log, keys } = await openSqliteLog(path)
    await keys.keep(1, () => Buffer.alloc(32, 1))
    await log.append({ stream: 's', expected: -1, events: events(1) })
    for (const name of ['log.db', 'log.db-wal', 'log.db-shm', 'key-halves'])
      expect(statSync(join(path, name)).mode & 0o777, name).to.equal(0o600)
    await log.close()
  })

  it('refuses to change or delete an event, whoever opens the file', async () => {
    await filled(500)
    const db = connect(file)
    expect(() => db.exec("UPDATE event SET type = 'x' WHERE position = 3")).to.throw('never changed')
    expect(() => db.exec('DELETE FROM event WHERE position = 3')).to.throw('never deleted')
    db.close()
  })

  it('refuses to start anew where the log has lost its file', async () => {
    const { log, keys } = await openSqliteLog(path)
    await keys.keep(1, () => Buffer.alloc(32, 1))
    await log.close()
    rmSync(file)
    const error = await openSqliteLog(path).catch((thrown: Error) => thrown)
    expect(error).to.have.property('message').that.includes('has lost its event log').and.includes('backup')
    expect(existsSync(file)).to.equal(false)
  })

  it('refuses what is no database, or no file', async () => {
    for (const content of ['this is not a database', 'y'.repeat(100_000)]) {
      writeFileSync(file, content)
      expect(await refusal())
        .to.include(file)
        .and.include('cannot be opened')
        .and.include('backup')
    }
    rmSync(file)
    mkdirSync(file)
    const error = await openSqliteLog(path).catch((thrown: Error) => thrown)
    expect(error).to.have.property('message').that.includes(file).and.includes('not a file')
  })

  it('refuses the database of another program', async () => {
    const other = connect(file)
    other.exec('CREATE TABLE note (text)')
    other.close()
    expect(await refusal())
      .to.include(file)
      .and.include('another program')
  })

  it('refuses a log of a newer layout', async () => {
    await filled(500)
    const raw = connect(file)
    raw.exec('PRAGMA user_version = 99')
    raw.close()
    expect(await refusal())
      .to.include(file)
      .and.include('layout 99')
      .and.include('version that wrote it')
  })

  it('refuses a file that has been cut short', async () => {
    await filled(10_000)
    truncateSync(file, Math.floor(statSync(file).size / 2))
    expect(await refusal())
      .to.include(file)
      .and.include('damaged')
      .and.include('backup')
  })

  it('refuses a log whose last event cannot be read', async () => {
    const { log } = await openSqliteLog(path)
    await log.append({ stream: 's', expected: -1, events: [...events(4), event({ mark: 'the-last-of-all' })] })
    await log.close()
    flip('the-last-of-all')
    expect(await refusal())
      .to.include(file)
      .and.include('event 4')
      .and.include('backup')
  })

  it('says which event is damaged when it comes to read it, and serves the others', async () => {
    const { log } = await openSqliteLog(path)
    await log.append({ stream: 's', expected: -1, events: events(700) })
    await log.append({ stream: 't', expected: -1, events: [event({ mark: 'flip-this-one' }), ...events(299)] })
    await log.close()
    flip('flip-this-one')
    const again = (await openSqliteLog(path)).log
    for (const read of [() => again.readAll(), () => again.readStream('t')]) {
      const error = await collect(read()).catch((thrown: Error) => thrown)
      expect(error).to.have.property('message').that.includes(file).and.includes('event 700').and.includes('backup')
    }
    expect(await collect(again.readAll({ limit: 700 }))).to.have.length(700)
    const errors: unknown[] = []
    const subscription = again.subscribe(() => {}, { onError: (thrown) => errors.push(thrown) })
    while (errors.length === 0) await new Promise(setImmediate)
    expect(errors[0]).to.have.property('message').that.includes('event 700')
    await subscription.close()
    await again.close()
  })

  it('opens a log that has been copied elsewhere', async () => {
    await filled(1000)
    const copy = join(directory.path, 'copy')
    mkdirSync(copy)
    copyFileSync(file, logFile(copy))
    const { log } = await openSqliteLog(copy)
    expect(await collect(log.readAll())).to.have.length(1000)
    await log.close()
  })

  it('refuses to open without its write-ahead log; on request it opens without it, as another log', async () => {
    await killed()
    const copy = join(directory.path, 'copy')
    mkdirSync(copy)
    copyFileSync(file, logFile(copy))
    const before = await identityOf(path)
    const refused = await openSqliteLog(copy).catch((thrown: Error) => thrown)
    expect(refused).to.have.property('message').that.includes(logFile(copy)).and.includes('--accept-loss')
    expect((refused as Error).message).to.match(/ends at position -?\d+/)
    const said: string[] = []
    const { log } = await openSqliteLog(copy, { acceptLoss: true, say: (text) => said.push(text) })
    expect(said.join()).to.include('--accept-loss')
    await log.close()
    expect(await identityOf(copy)).not.to.equal(before)
  })

  it('opens after a kill at any moment of its start', async () => {
    for (let round = 0; round < 6; round++) {
      const child = new Child('append-for-ever', [path, String(round * 1000), '1', '10'])
      if (round % 2 === 0) await new Promise((go) => setTimeout(go, 30 + 25 * round))
      else await child.line(0)
      await child.end('SIGKILL')
      const { log } = await openSqliteLog(path)
      await log.close()
    }
  })

  it('ends where a write-ahead log that was cut ends, with whole commits', async () => {
    await killed()
    truncateSync(`${file}-wal`, Math.floor(statSync(`${file}-wal`).size * 0.7))
    const { log } = await openSqliteLog(path)
    const all = await collect(log.readAll())
    expect(all.map(({ position }) => position)).to.deep.equal(all.map((_, position) => position))
    await log.close()
  })

  async function identityOf(path: string): Promise<string> {
    const { log, identity } = await openSqliteLog(path)
    await log.close()
    return identity
  }
})
