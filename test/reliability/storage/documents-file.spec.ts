import { copyFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { keyHalvesFile, logFile } from '../../../infra/log-db/store.ts'
import type { Documents } from '../../support/documents.ts'
import { millrace } from '../../support/millrace.ts'
import { caughtUp } from '../caught-up.ts'
import { byForm, patience, printFigures } from '../form.ts'
import {
  copyDatabase,
  copyFiles,
  expectDocuments,
  expectDocumentsOfLog,
  firstLife,
  removeDatabase,
} from '../history.ts'
import type { Ledger } from '../ledger.ts'
import { expectOnce, findMarks, settingFor } from '../outcome.ts'
import {
  type ServiceProcess,
  type SuiteDirectories,
  startServiceProcess,
  suiteDirectories,
  targetOf,
} from '../service-process.ts'
import type { Setting } from '../writers.ts'
import { writeFor } from '../writing.ts'

const ROUNDS = byForm(1, 3)
const WRITERS = 4
const WRITING_MS = 400

describe('the file of the documents', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  let data: string
  let views: string
  let token: string
  let setting: Setting
  let ledger: Ledger = []
  let lives = 0
  /** The documents that the current log gives. */
  let expected: Documents | undefined

  before(async () => {
    places = suiteDirectories('documents')
    data = places.place()
    views = join(data, 'views.db')
    const first = await firstLife(data)
    token = first.token
    setting = await settingFor(first.target)
    await write(first.life)
    expect(await first.life.stop()).to.equal(0)
  })
  after(() => places.clear())

  const write = async (life: ServiceProcess) => {
    expected = undefined
    const target = targetOf(life, token)
    ledger = [...ledger, ...(await writeFor(WRITING_MS, target, setting, `d${++lives}`, WRITERS, places.chance))]
  }

  /** Starts the service. Expects all writes, and the documents of the log. @returns its log output */
  const expectRight = async (): Promise<string> => {
    const life = await startServiceProcess(data)
    await caughtUp(life.url)
    expectOnce(ledger, await findMarks(targetOf(life, token)))
    if (expected) await expectDocuments(life, data, expected)
    else expected = await expectDocumentsOfLog(life, data)
    return life.said()
  }

  const warnings = (said: string): string[] =>
    said
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ level }) => level === 40)
      .map(({ msg }) => msg)

  const expectSaid = (said: string): void => {
    expect(
      warnings(said).filter((msg) => msg.includes(views)),
      said,
    ).not.to.deep.equal([])
  }

  const aCopyOfBefore = async (): Promise<string> => {
    const copy = join(places.place(), 'views.db')
    copyDatabase(views, copy)
    const life = await startServiceProcess(data)
    await write(life)
    expect(await life.stop()).to.equal(0)
    return copy
  }

  /** Ways to damage the file, and whether the start must log a warning. */
  const harms: Readonly<Record<string, { harm: () => Promise<void> | void; isSaid: boolean }>> = {
    'older than the log': {
      isSaid: false,
      harm: async () => copyDatabase(await aCopyOfBefore(), views),
    },
    missing: { isSaid: false, harm: () => removeDatabase(views) },
    'cut short': { isSaid: true, harm: () => truncateSync(views, 1 + places.chance.below(statSync(views).size - 1)) },
    empty: { isSaid: false, harm: () => writeFileSync(views, '') },
    garbage: {
      isSaid: true,
      harm: () => writeFileSync(views, Buffer.from(Array.from({ length: 9000 }, () => places.chance.below(256)))),
    },
    'of another program': { isSaid: true, harm: () => writeFileSync(views, 'SQLite format 3\0 but no more than that') },
    'of another log': {
      isSaid: true,
      harm: async () => {
        const other = places.place()
        const { life } = await firstLife(other)
        expect(await life.stop()).to.equal(0)
        removeDatabase(views)
        copyFileSync(join(other, 'views.db'), views)
      },
    },
    'a directory': {
      isSaid: true,
      harm: () => {
        removeDatabase(views)
        copyFiles(data, views, ['secret'])
      },
    },
  }

  for (const [name, { harm, isSaid }] of Object.entries(harms)) {
    it(`${name}: the documents are those of the log, and what was wrong is said`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await harm()
        const said = await expectRight()
        if (isSaid) expectSaid(said)
      }
      printFigures(`documents ${name}`, `${ROUNDS} starts, the documents of a rebuild after each`)
    })
  }

  it('newer than a restored log: rebuilt, with a warning', async () => {
    const folder = join(places.place(), 'backup')
    const { code, err } = await millrace(['backup', folder, '--data', data])
    expect(code, err).to.equal(0)
    const older = ledger
    const life = await startServiceProcess(data)
    await write(life)
    expect(await life.stop()).to.equal(0)
    removeDatabase(logFile(data))
    rmSync(keyHalvesFile(data))
    for (const part of ['log', 'keys']) copyFiles(join(folder, part), data, readdirSync(join(folder, part)))
    ledger = older
    expected = undefined
    const said = await expectRight()
    expectSaid(said)
    printFigures('documents newer than a restored log', 'built anew, and said')
  })
})
