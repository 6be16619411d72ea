import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { directoryLeftOff } from '../../infra/data-directory/left-off.ts'
import type { Left, LeftOff } from '../../workers/left-off.ts'
import { findOlderCopy, markOfCopy, NO_COPY, releaseCopy } from '../../workers/older-copy.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const HOUR = 60 * 60 * 1000

describe('The note of how far a service had come', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  beforeEach(() => {
    directory = temporaryDirectory()
  })
  afterEach(() => directory.remove())

  const at = (place = directory.path) => directoryLeftOff(place)
  const copyTo = (name: string) => {
    const copy = path.join(directory.path, name)
    mkdirSync(copy)
    cpSync(path.join(directory.path, 'left-off.json'), path.join(copy, 'left-off.json'))
    return copy
  }

  it('is read where it was written, as it was written last', () => {
    expect(at().read()).to.equal(undefined)
    at().write(123_456)
    at().write(7)
    expect(at().read()).to.deep.equal({ position: 7 })
    const other = path.join(directory.path, 'other-name')
    symlinkSync(directory.path, other)
    expect(at(other).read()).to.deep.equal({ position: 7 })
  })

  it('says of a copy that it is one while the original is where it was', () => {
    at().write(7)
    const copy = copyTo('copy')
    expect(at(copy).read()).to.equal('copied')
    renameSync(path.join(directory.path, 'left-off.json'), path.join(directory.path, 'gone.json'))
    expect(at(copy).read()).to.equal('moved or copied')
    at(copy).write(8)
    expect(at(copy).read()).to.deep.equal({ position: 8 })
  })

  it('goes along with a directory that is renamed', () => {
    const place = path.join(directory.path, 'here')
    mkdirSync(place)
    at(place).write(7)
    renameSync(place, `${place}-renamed`)
    expect(at(`${place}-renamed`).read()).to.deep.equal({ position: 7 })
  })

  it('of an earlier version, which did not name its directory, counts in its own file', () => {
    at().write(7)
    writeFileSync(path.join(directory.path, 'left-off.json'), '{"inode":')
    expect(at().read()).to.equal(undefined)
    writeFileSync(path.join(directory.path, 'left-off.json'), '{"inode":1,"position":7}')
    expect(at().read()).to.equal('moved or copied')
  })

  const NOW = Date.parse('2026-11-26T12:00:00Z')
  const CLOCK = '2026-11-26T12:00:00.000Z'
  /** @param left what the note says; `null`: on servers, where there is none */
  const found = async (ageMs: number, left: Left | null, stored: object | null = null) => {
    const event = { position: 40, metadata: { at: new Date(NOW - ageMs).toISOString() } }
    const log = { lastPosition: async () => 40, at: async () => event } as never
    const reactorStore = { cursor: async () => stored, write: async () => {} } as never
    const note: LeftOff = { read: () => left ?? undefined, write: () => {} }
    return findOlderCopy({ log, reactorStore, ...(left !== null && { leftOff: note }) }, 2 * HOUR, NOW)
  }

  it('14 34, 14 107: says that data were left so, however long ago, or that they are older; without it the time decides', async () => {
    const copy = { upTo: 40, startedAt: CLOCK }
    const waiting = { ...copy, waits: true }
    for (const [age, left, expected] of [
      [23 * HOUR, { position: 40 }, NO_COPY],
      [23 * HOUR, { position: 12 }, NO_COPY],
      [1000, { position: 41 }, waiting],
      [0, 'copied', waiting],
      [HOUR, 'moved or copied', NO_COPY],
      [23 * HOUR, 'moved or copied', waiting],
      [23 * HOUR, undefined, waiting],
      [HOUR, undefined, NO_COPY],
      [23 * HOUR, null, copy],
      [HOUR, null, NO_COPY],
    ] as const)
      expect(await found(age, left), `${age} ${JSON.stringify(left)}`).to.deep.equal(expected)
  })

  it('is not asked about a backup, which says itself that it is a copy, until the word is given', async () => {
    const { value } = markOfCopy(40)
    const waiting = { upTo: 40, startedAt: CLOCK, waits: true }
    for (const age of [0, HOUR, 48 * HOUR]) expect(await found(age, undefined, value)).to.deep.equal(waiting)
    const since = { ...waiting, startedAt: '2026-11-20T12:00:00.000Z' }
    expect(await found(0, { position: 40 }, since)).to.deep.equal(since)
    const stored: object[] = []
    const store = {
      cursor: async () => since,
      write: async ([one]: readonly [object]) => void stored.push(one),
    } as never
    expect(await releaseCopy(store)).to.equal(true)
    expect(stored).to.deep.equal([{ cursor: 'older-copy', value: { upTo: 40, startedAt: since.startedAt } }])
  })
})
