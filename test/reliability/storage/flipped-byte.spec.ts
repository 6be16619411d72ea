import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { logFile } from '../../../infra/log-db/store.ts'
import { millrace, type Ran } from '../../support/millrace.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { eventsIn, eventsOf, expectVerified, firstLife } from '../history.ts'
import { settingFor } from '../outcome.ts'
import { type SuiteDirectories, suiteDirectories } from '../service-process.ts'
import { writeFor } from '../writing.ts'

const FLIPS = byForm(2, 12)
const WRITING_MS = byForm(800, 1500)

describe('a log with a flipped bit', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  let data: string
  let events: readonly RecordedEvent[]

  before(async () => {
    places = suiteDirectories('flipped')
    data = places.place()
    const { life, target } = await firstLife(data)
    const setting = await settingFor(target)
    for (let done = 0, turn = 0; done < 100; turn += 1)
      done += (await writeFor(WRITING_MS, target, setting, `f${turn}`, 6, places.chance)).length
    expect(await life.stop()).to.equal(0)
    events = await eventsOf(data)
    expect(events.length).to.be.greaterThan(100)
  })
  after(() => places.clear())

  /** Flips one bit of the text in the file, as a faulty disk does. @returns a function that restores it */
  const flip = (text: string): (() => void) => {
    const file = logFile(data)
    const content = readFileSync(file)
    const begin = content.indexOf(text)
    expect(begin, text).to.be.greaterThan(0)
    expect(content.indexOf(text, begin + 1), `${text} is there once`).to.equal(-1)
    const at = begin + places.chance.below(Buffer.byteLength(text))
    const flipped = Buffer.from(content)
    flipped[at]! ^= 1 << places.chance.below(8)
    writeFileSync(file, flipped)
    return () => writeFileSync(file, content)
  }

  /** Rows whose text occurs only once in the file, and on a single page. */
  const candidates = () => {
    const content = readFileSync(logFile(data))
    return events.flatMap(({ position, data: body, metadata }) => {
      const text = JSON.stringify(body) + JSON.stringify(metadata)
      const begin = content.indexOf(text)
      return begin > 0 && content.indexOf(text, begin + 1) === -1 ? [{ position, text }] : []
    })
  }

  /** Runs a command repeatedly over the log with one bit flipped. Restores the bit each time. */
  const withFlips = async (name: string, args: readonly string[], check: (ran: Ran, position: number) => void) => {
    const possible = candidates()
    expect(possible.length).to.be.greaterThan(events.length / 2)
    for (let round = 0; round < FLIPS; round++) {
      const { position, text } = places.chance.pick(possible)
      const restore = flip(text)
      const ran = await millrace([...args, '--data', data])
      restore()
      expect(ran.code, `exit code of ${name}`).to.equal(1)
      check(ran, position)
    }
    await expectVerified(data)
    printFigures('flipped bits', `${FLIPS} in a log of ${events.length} events: each named by ${name}`)
  }
  const named = (position: number) => new RegExp(`\\bevent ${position}\\b`)

  it('is named by position by verify', () =>
    withFlips('verify', ['verify'], ({ out, err }, position) => expect(out, err).to.match(named(position))))

  it('is named by position by an export, which gives what is before it', () =>
    withFlips('export', ['events', 'export'], ({ out, err }, position) => {
      expect(err).to.match(named(position))
      expect(eventsIn(out).length, `exported up to ${position}`).to.equal(position)
      expect(eventsIn(out)).to.deep.equal(events.slice(0, position))
    }))

  it('is named by position by a rebuild', () =>
    withFlips('rebuild', ['rebuild', '--json'], ({ err }, position) => expect(err).to.match(named(position))))
})
