import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { logFile } from '../../../infra/log-db/store.ts'
import { connect } from '../../../infra/sqlite/binding.ts'
import { caughtUp } from '../caught-up.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { eventsOf, expectDocumentsOfLog, expectVerified, firstLife } from '../history.ts'
import type { Ledger, Target } from '../ledger.ts'
import { all, send } from '../ledger.ts'
import { settingFor } from '../outcome.ts'
import {
  refusedStart,
  type ServiceProcess,
  type SuiteDirectories,
  startServiceProcess,
  suiteDirectories,
  targetOf,
} from '../service-process.ts'
import type { Setting } from '../writers.ts'
import { writeFor } from '../writing.ts'

const CUTS = byForm(2, 15)
const WRITERS = 4
/** What is left of a write-ahead log that is cut short of the documents. */
const CUT_BYTES = 64 * 1024
/** Writes that take more than that, since each takes two pages and more. */
const MANY = 40

describe('a write-ahead log that was harmed after a kill', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  let data: string
  let token: string
  let setting: Setting
  /** Last position in the file itself. */
  let stopped: number
  let life: ServiceProcess
  let target: Target
  let lives = 0

  const lastPosition = async () => (await eventsOf(data)).at(-1)!.position

  const start = async (...args: string[]) => {
    life = await startServiceProcess(data, { args })
    target = targetOf(life, token)
  }
  /** Runs a life that writes and is killed. The life before it was stopped. */
  const killed = async (): Promise<Ledger> => {
    await start()
    const ledger: Ledger[number][] = []
    // On a busy machine the first writes may take longer than that.
    while (ledger.length <= WRITERS)
      ledger.push(...(await writeFor(400, target, setting, `w${++lives}`, WRITERS, places.chance)))
    await life.stop('SIGKILL')
    return ledger
  }

  before(async () => {
    places = suiteDirectories('write-ahead')
    data = places.place()
    const first = await firstLife(data)
    token = first.token
    setting = await settingFor(first.target)
    expect(await first.life.stop()).to.equal(0)
  })
  beforeEach(async () => {
    stopped = await lastPosition()
  })
  after(() => places.clear())

  it('is reported with the position when it is missing, and ignored only on request', async () => {
    const lost = await killed()
    expect(lost.length).to.be.greaterThan(WRITERS)
    rmSync(`${logFile(data)}-wal`)
    rmSync(`${logFile(data)}-shm`, { force: true })

    for (let again = 0; again < 2; again++) {
      const { code, said } = await refusedStart(data)
      expect(code).to.equal(1)
      expect(said).to.include('--accept-loss').and.include(`position ${stopped}`).and.include(logFile(data))
    }
    await start('--accept-loss')
    const kept = await all(target, `/workspaces/${target.workspaceId}/contacts`)
    expect(kept, 'contacts that the log has lost').to.deep.equal([])
    expect(await send(target, 'POST', `/workspaces/${target.workspaceId}/contacts`, { body: ada })).to.have.property(
      'status',
      201,
    )
    await new Promise((go) => setTimeout(go, 300))
    expect(life.said()).to.include('--accept-loss').and.include(`position ${stopped}`)
    await life.stop('SIGKILL')
    await start()
    await caughtUp(life.url)
    expect(await all(target, `/workspaces/${target.workspaceId}/contacts`)).to.have.length(1)
    await expectDocumentsOfLog(life, data)
    await expectVerified(data)
    printFigures('write-ahead log gone', `refused at position ${stopped}; taken with --accept-loss; then as ever`)
  })

  it('that was cut or has a flipped bit gives whole commits up to some position, or is refused', async () => {
    let [started, refused, kept, written] = [0, 0, 0, 0]
    for (let round = 0; round < CUTS; round++) {
      const begun = await lastPosition()
      const ledger = await killed()
      const wal = `${logFile(data)}-wal`
      harm(wal, round)
      const result = await startOrRefusal()
      if (result) {
        refused++
        expect(result)
          .to.match(/position \d+/)
          .and.include('--accept-loss')
        await start('--accept-loss')
      } else started++
      await expectDocumentsOfLog(life, data)
      await expectVerified(data)
      const last = await lastPosition()
      expect(last).to.be.at.least(begun)
      kept += last - begun
      written += ledger.length
    }
    printFigures(
      'write-ahead logs cut',
      `${CUTS}: ${started} starts, ${refused} refused; ${written} writes, ${kept} events kept`,
    )
  })

  it('is reported with both positions when documents are ahead of it', async () => {
    await killed()
    await start()
    await writeMuchAndDie()
    truncateSync(`${logFile(data)}-wal`, CUT_BYTES)
    // Whoever looked at the log may still hold the index of what was cut off.
    rmSync(`${logFile(data)}-shm`, { force: true })
    await start()
    const last = Number(/log_position (\d+)/.exec(await (await fetch(`${life.url}/metrics`)).text())![1])
    await expectDocumentsOfLog(life, data)
    const said = life.said()
    const reached = Number(/has reached position (\d+)/.exec(said)?.[1])
    const ended = Number(/ends at (\d+)/.exec(said)?.[1])
    expect(reached, said).to.be.greaterThan(ended)
    // The start itself gives the first owner another link.
    expect(last - ended, said).to.be.within(0, 1)
    printFigures('documents ahead of a cut log', `at ${reached} and ${ended}: said, and built anew`)
  })

  const ada = { contact: { first_name: 'Ada', email_address: 'ada@example.com' } }

  /** Writes until documents are on disk whose events are still in the write-ahead log, beyond what is left of it. */
  const writeMuchAndDie = async () => {
    for (let written = 0; written < MANY; )
      written += (await writeFor(800, target, setting, `x${++lives}`, WRITERS, places.chance)).length
    const [log, views] = [connect(logFile(data), true), connect(join(data, 'views.db'), true)]
    const inLog = log.prepare('SELECT max(position) AS value FROM event')
    const onDisk = views.prepare("SELECT value FROM meta WHERE name = 'checkpoint'")
    const positionIn = (row: unknown): number => Number((row as { readonly value: number }).value)
    while (positionIn(onDisk.get()) < positionIn(inLog.get())) await new Promise((go) => setTimeout(go, 20))
    log.close()
    views.close()
    await life.stop('SIGKILL')
  }

  const harm = (wal: string, round: number): void => {
    const { size } = statSync(wal)
    if (round % 2 === 0) {
      truncateSync(wal, places.chance.below(size))
      return
    }
    const content = readFileSync(wal)
    content[places.chance.below(size)]! ^= 1 << places.chance.below(8)
    writeFileSync(wal, content)
  }

  const startOrRefusal = async (): Promise<string | undefined> => {
    try {
      await start()
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
})
