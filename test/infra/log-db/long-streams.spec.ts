import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { EventLog, ReadStreamOptions } from '../../../domain/kernel/ports/event-log.ts'
import { openSqliteStore } from '../../../infra/log-db/store.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

describe('a stream of large events', () => {
  let temporary: ReturnType<typeof temporaryDirectory>
  let log: EventLog
  before(async () => {
    temporary = temporaryDirectory()
    log = (await openSqliteStore(temporary.path, Buffer.alloc(32, 1))).log
    const metadata = { at: '2026-03-01T09:00:00.000Z', actor: 'key:1', $correlationId: 'c', $causationId: 'c' }
    for (let number = 0; number < 30; number++) {
      const data = { number, text: 'x'.repeat(number === 7 ? 2_000_000 : 200_000) }
      const events = [{ id: randomUUID(), type: 'Written', data, metadata }]
      await log.append({ stream: 'book-1', expected: number - 1, events })
    }
  })
  after(async () => {
    await log.close()
    temporary.remove()
  })

  const read = async (options?: ReadStreamOptions): Promise<readonly number[]> => {
    const revisions: number[] = []
    for await (const { revision } of log.readStream('book-1', options)) revisions.push(revision)
    return revisions
  }
  const all = Array.from({ length: 30 }, (_, number) => number)

  it('is read in slices of few characters, and whole', async () => {
    let turns = 0
    let isReading = true
    const count = () => {
      turns++
      if (isReading) setImmediate(count)
    }
    setImmediate(count)
    expect(await read()).to.deep.equal(all)
    isReading = false
    expect(turns).to.be.at.least(9)
  })

  it('is read from anywhere, to anywhere, in both directions', async () => {
    expect(await read({ from: 5 })).to.deep.equal(all.slice(5))
    expect(await read({ from: 5, limit: 7 })).to.deep.equal(all.slice(5, 12))
    expect(await read({ limit: 30 })).to.deep.equal(all)
    expect(await read({ limit: 3 })).to.deep.equal([0, 1, 2])
    expect(await read({ backwards: true })).to.deep.equal(all.toReversed())
    expect(await read({ backwards: true, from: 20, limit: 8 })).to.deep.equal(all.slice(13, 21).toReversed())
    expect(await read({ from: 30 })).to.deep.equal([])
  })

  it('can be left in the middle', async () => {
    for await (const { revision } of log.readStream('book-1')) if (revision === 4) break
    expect(await read()).to.deep.equal(all)
  })
})
