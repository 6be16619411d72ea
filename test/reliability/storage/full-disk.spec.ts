import { join } from 'node:path'
import { expect } from 'chai'
import { BatchWriter } from '../../../infra/log-db/batch-writer.ts'
import { LOG_FILE, WRITER_PRAGMAS } from '../../../infra/log-db/layout.ts'
import type { Database } from '../../../infra/sqlite/binding.ts'
import { troubleOf } from '../../../infra/sqlite/failures.ts'
import { numberIn, openFile } from '../../../infra/sqlite/open.ts'
import { batchOf, contentOf } from '../../infra/event-log/batches.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { type SuiteDirectories, suiteDirectories } from '../service-process.ts'

const BATCHES = byForm(30, 100)
const NO_LIMIT = 2 ** 30

describe('a batch of writes on a disk that is full', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  let db: Database
  let writer: BatchWriter

  beforeEach(() => {
    places = suiteDirectories('full')
    db = openFile(join(places.place(), 'log.db'), LOG_FILE, WRITER_PRAGMAS)
    writer = new BatchWriter(db)
  })
  afterEach(() => {
    db.close()
    places.clear()
  })

  /** Commits a batch while the file may only grow by a number of pages. @returns whether it was committed */
  const tried = (number: number, room: number, writes: ReturnType<typeof batchOf>): boolean => {
    const before = contentOf(db)
    db.exec(`PRAGMA max_page_count = ${numberIn(db, 'page_count') + room}`)
    try {
      const { outcomes } = writer.carryOut({ writes, now: 0 })
      expect(outcomes).to.have.length(writes.length)
      for (const outcome of outcomes) expect(outcome === 'done' || ('ok' in outcome && outcome.ok)).to.equal(true)
      return true
    } catch (error) {
      expect(troubleOf(error), `batch ${number} with room for ${room} pages: ${error}`).to.equal('full')
      expect(db.isTransaction).to.equal(false)
      expect(contentOf(db), `nothing of batch ${number} is there`).to.deep.equal(before)
      return false
    } finally {
      db.exec(`PRAGMA max_page_count = ${NO_LIMIT}`)
    }
  }

  const expectAllThere = (batches: readonly ReturnType<typeof batchOf>[]): void => {
    const { event, claim, key, checkpoint, ...reactorStore } = contentOf(db)
    const appends = batches.flat().filter((write) => write.kind === 'append')
    const ids = appends.flatMap(({ events }) => events.map(({ id }) => id))
    expect((event as { id: string }[]).map(({ id }) => id)).to.deep.equal(ids)
    expect((event as { position: number }[]).map(({ position }) => position)).to.deep.equal(ids.map((_, at) => at))
    expect(claim).to.have.length(2 * appends.length)
    expect(key).to.have.length(batches.flat().filter((write) => write.kind === 'key').length)
    expect(checkpoint).to.have.length(batches.length)
    for (const [table, rows] of Object.entries(reactorStore)) expect(rows, table).to.have.length(batches.length)
    expect(db.prepare('PRAGMA integrity_check').all()).to.deep.equal([{ integrity_check: 'ok' }])
  }

  it('is stored whole or not at all, wherever the space ends, and later batches are stored', () => {
    const batches: ReturnType<typeof batchOf>[] = []
    let refused = 0
    for (let number = 0; number < BATCHES; number++) {
      const writes = batchOf(number, places.chance)
      batches.push(writes)
      for (let room = 0; !tried(number, room, writes); room++) refused++
      // The limit must not affect the next batches, which are committed at once.
      const next = batchOf(BATCHES + number, places.chance)
      batches.push(next)
      expect(tried(BATCHES + number, NO_LIMIT / 2, next)).to.equal(true)
    }
    expect(refused).to.be.greaterThan(BATCHES)
    expectAllThere(batches)
    printFigures(
      'full disk, injected',
      `${BATCHES} batches, refused ${refused} times at some page: whole or not at all`,
    )
  })

  it('is accepted when there is space again, with the writes that were refused before', () => {
    const waiting: ReturnType<typeof batchOf>[] = []
    for (let number = 0; number < 20; number++) {
      const writes = batchOf(number, places.chance)
      if (!tried(number, 0, writes)) waiting.push(writes)
    }
    expect(waiting.length).to.be.greaterThan(0)
    const kept = contentOf(db).event!.length
    for (const [index, writes] of waiting.entries()) expect(tried(1000 + index, NO_LIMIT / 2, writes)).to.equal(true)
    expect(contentOf(db).event!.length).to.be.greaterThan(kept)
    expect(db.prepare('PRAGMA integrity_check').all()).to.deep.equal([{ integrity_check: 'ok' }])
  })
})
