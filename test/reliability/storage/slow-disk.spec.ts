import { join } from 'node:path'
import { expect } from 'chai'
import type { Appended } from '../../../domain/kernel/ports/event-log.ts'
import type { Write } from '../../../infra/log-db/batch.ts'
import { Executor, type WriterThread } from '../../../infra/log-db/executor.ts'
import { GroupCommit } from '../../../infra/log-db/group-commit.ts'
import { BUSY_TIMEOUT_PRAGMA, LOG_FILE, WRITER_PRAGMAS } from '../../../infra/log-db/layout.ts'
import { connect, type Database } from '../../../infra/sqlite/binding.ts'
import { StorageUnavailable } from '../../../infra/sqlite/failures.ts'
import { openFile } from '../../../infra/sqlite/open.ts'
import { byForm, printFigures } from '../form.ts'
import { type SuiteDirectories, suiteDirectories } from '../service-process.ts'

const COMMIT_MS = 3
const LOOKED_AT = 100
const LOCKED_MS = 300

const append = (stream: string): Write => ({
  kind: 'append',
  stream,
  expected: -1,
  events: [
    { id: `id-${stream}`, type: 'SomethingHappened', data: '{}', metadata: '{"at":"2026-02-03T04:05:06.789Z"}' },
  ],
  take: [{ key: `claim-${stream}` }],
  release: [],
  repeatable: false,
  numbers: [],
})

let slowCommits = 0

/** The same database on a disk that is slow to sync. */
const slow = (db: Database): Database =>
  new Proxy(db, {
    get(target, name) {
      if (name === 'exec')
        return (sql: string) => {
          target.exec(sql)
          if (sql !== 'COMMIT') return
          slowCommits++
          for (const until = performance.now() + COMMIT_MS; performance.now() < until; );
        }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

describe('commits of the log', () => {
  let places: SuiteDirectories
  let path: string
  let db: Database
  let executor: Executor
  const moves: WriterThread[] = []

  const open = (as: (db: Database) => Database) => {
    places = suiteDirectories('slow')
    path = join(places.place(), 'log.db')
    db = openFile(path, LOG_FILE, WRITER_PRAGMAS)
    db.exec(BUSY_TIMEOUT_PRAGMA)
    moves.length = 0
    slowCommits = 0
    executor = new Executor(as(db), path, (place) => moves.push(place))
  }
  afterEach(async () => {
    await executor.close()
    db.close()
    places.clear()
  })

  const expectStreams = (count: number) => {
    const rows = db.prepare('SELECT position, stream, revision FROM event ORDER BY position').all()
    expect(rows).to.deep.equal(
      Array.from({ length: count }, (_, position) => ({ position, stream: `s-${position}`, revision: 0 })),
    )
  }

  it('move to a thread of their own when a hundred took long', async () => {
    open(slow)
    const results: Appended[] = []
    const write = async () => {
      const [outcome] = await executor.commit({ writes: [append(`s-${results.length}`)], now: 0 }, 100)
      results.push(outcome as Appended)
    }
    while (results.length < LOOKED_AT - 1) await write()
    expect(moves).to.deep.equal([])
    await write()
    expect(moves).to.deep.equal(['thread of its own'])

    while (results.length < 2 * LOOKED_AT) await write()
    expect(slowCommits, 'commits on the main thread').to.equal(LOOKED_AT)
    expect(results.map((result) => result.ok && result.position)).to.deep.equal(results.map((_, at) => at))
    expect((await executor.commit({ writes: [append('s-7')], now: 0 }, 100))[0]).to.deep.equal({
      ok: false,
      conflict: 'revision',
      actual: 0,
    })
    expectStreams(2 * LOOKED_AT)
    printFigures('slow disk', `commits of ${COMMIT_MS} ms moved to the thread after ${LOOKED_AT}`)
  })

  it('wait for another program that holds the file locked', async () => {
    open((same) => same)
    const commit = new GroupCommit(executor, path, () => 0)
    const other = connect(path)
    other.exec('BEGIN IMMEDIATE')
    const begun = performance.now()
    const written = Promise.all([0, 1, 2].map((n) => commit.submit(append(`s-${n}`))))
    await new Promise((go) => setTimeout(go, LOCKED_MS))
    other.exec('ROLLBACK')
    expect((await written).every((result) => result !== 'done' && 'ok' in result && result.ok)).to.equal(true)
    expect(performance.now() - begun).to.be.at.least(LOCKED_MS)
    other.close()
    expectStreams(3)
  })

  // The test takes ten seconds.
  const refusedIfLong = byForm(undefined, it)
  refusedIfLong?.('are refused as busy when the lock is held for long, and continue when it is released', async () => {
    open((same) => same)
    const commit = new GroupCommit(executor, path, () => 0)
    const other = connect(path)
    other.exec('BEGIN IMMEDIATE')
    const begun = performance.now()
    const error = await commit.submit(append('s-0')).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(StorageUnavailable).and.to.have.property('trouble', 'busy')
    expect(error).to.have.property('message').that.includes('locked')
    printFigures('locked file', `refused as busy after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    other.exec('ROLLBACK')
    other.close()
    expect(await commit.submit(append('s-0'))).to.include({ ok: true, position: 0 })
  })
})
