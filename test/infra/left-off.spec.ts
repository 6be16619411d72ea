import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { directoryLeftOff } from '../../infra/data-directory/left-off.ts'
import { findOlderCopy, type LeftOff, NO_COPY } from '../../workers/older-copy.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const HOUR = 60 * 60 * 1000

describe('The note of how far a service had come', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  beforeEach(() => {
    directory = temporaryDirectory()
  })
  afterEach(() => directory.remove())

  it('is read where it was written, as it was written last', () => {
    const note = directoryLeftOff(directory.path)
    expect(note.read()).to.equal(undefined)
    note.write(123_456)
    note.write(7)
    expect(note.read()).to.equal(7)
    expect(directoryLeftOff(directory.path).read()).to.equal(7)
  })

  it('is nothing in a copy, or when it was damaged', () => {
    directoryLeftOff(directory.path).write(7)
    const copy = path.join(directory.path, 'copy')
    cpSync(path.join(directory.path, 'left-off.json'), path.join(copy, 'left-off.json'))
    expect(directoryLeftOff(copy).read()).to.equal(undefined)
    writeFileSync(path.join(directory.path, 'left-off.json'), '{"inode":')
    expect(directoryLeftOff(directory.path).read()).to.equal(undefined)
  })

  const NOW = Date.parse('2026-11-26T12:00:00Z')
  const found = async (ageMs: number, leftOff: number | undefined) => {
    const event = { position: 40, metadata: { at: new Date(NOW - ageMs).toISOString() } }
    const log = { lastPosition: async () => 40, at: async () => event } as never
    const reactorStore = { cursor: async () => null, write: async () => {} } as never
    const note: LeftOff = { read: () => leftOff, write: () => {} }
    return findOlderCopy({ log, reactorStore, leftOff: note }, 2 * HOUR, NOW)
  }

  it('14 34, 14 107: says that data were left so, however long ago, or that they are older; without it the time decides', async () => {
    const copy = { upTo: 40, startedAt: '2026-11-26T12:00:00.000Z' }
    for (const [age, leftOff, expected] of [
      [23 * HOUR, 40, NO_COPY],
      [23 * HOUR, 12, NO_COPY],
      [1000, 41, copy],
      [23 * HOUR, undefined, copy],
      [HOUR, undefined, NO_COPY],
    ] as const)
      expect(await found(age, leftOff), `${age} ${leftOff}`).to.deep.equal(expected)
  })
})
