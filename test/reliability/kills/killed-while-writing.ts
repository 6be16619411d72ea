import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { countOf, documentsOnDisk, expectSameDocuments } from '../../support/documents.ts'
import { until } from '../../support/eventually.ts'
import { millrace, type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { caughtUp } from '../caught-up.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { type Entry, executeWrite, isAcknowledged, type Ledger, type Target } from '../ledger.ts'
import { expectLastChanges, expectOnce, findMarks, settingFor } from '../outcome.ts'
import { writeUntilDead } from '../writers.ts'

const KILLS = byForm(4, 100)
const WRITERS = 6
/** In one of this many rounds a rebuild is running when the service is killed. */
const REBUILD_EVERY = 7

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

const ASKS_AGAIN_MS = 60_000

/** Sends a write once more, and again while a log on a server cannot say yet what came of the first. */
const sendAgain = async (target: Target, entry: Entry): Promise<Entry> => {
  for (const begun = Date.now(); ; await pause(200)) {
    try {
      return await executeWrite(target, entry)
    } catch (error) {
      if (!String(error).includes('is being carried out; try again') || Date.now() - begun > ASKS_AGAIN_MS) throw error
    }
  }
}

/** Repeats the requests without an answer, and some of those with one, under their idempotency keys. */
const repeat = async (target: Target, ledger: Ledger): Promise<Ledger> =>
  Promise.all(
    ledger.map(async (entry, index) => {
      if (entry.key === undefined || (isAcknowledged(entry) && index % 3 > 0)) return entry
      const again = await sendAgain(target, entry)
      if (isAcknowledged(entry)) expect(again.id, `${entry.mark} sent again`).to.equal(entry.id)
      return again
    }),
  )

/** Expects that what was acknowledged is there once, with its last change. */
const expectAllThere = async (target: Target, ledger: readonly Ledger[], name: string): Promise<void> => {
  const sent = ledger.flat()
  const acknowledged = sent.filter(isAcknowledged)
  printFigures(name, `${KILLS} kills; ${acknowledged.length} of ${sent.length} writes acknowledged, each there once`)
  expect(acknowledged.length).to.be.greaterThan(KILLS * WRITERS)
  const seen = await findMarks(target)
  expectOnce(sent, seen)
  expectLastChanges(sent, seen)
}

/** Expects that an exported log has every revision of every stream, and no event twice. */
const expectNoGap = (exported: string): void => {
  const events = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; stream: string; revision: number })
  const revisions = new Map<string, number>()
  for (const { stream, revision } of events) {
    expect(revision, stream).to.equal((revisions.get(stream) ?? -1) + 1)
    revisions.set(stream, revision)
  }
  expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length)
}

/** Log of a service that is killed. */
export interface KilledLog {
  /** Settings that name it. */
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

const EMBEDDED: KilledLog = { settings: {}, stop: async () => undefined }

/** Describes that a service which is killed while it writes loses nothing. @param openLog starts an empty log; default: the embedded one */
export const describeKilled = (name: string, openLog: () => Promise<KilledLog> = async () => EMBEDDED): void => {
  describe(name, function () {
    this.timeout(patience)
    let log: KilledLog
    let data: string
    let service: Spawned
    let target: Target
    let chance: Random
    const ledger: Ledger[] = []

    const start = async () => {
      service = await spawnMillrace(data, log.settings)
      target = { ...target, url: service.ready.origin, workspaceId: service.ready.workspace_id }
    }

    const command = (...args: readonly string[]) => millrace([...args, '--data', data], log.settings)

    before(async () => {
      chance = random(seedOfRun())
      data = await mkdtemp(path.join(tmpdir(), 'millrace-kill-'))
      log = await openLog()
      await start()
      target = { ...target, token: service.ready.api_key! }
    })
    after(async () => {
      await service?.stop('SIGKILL')
      await log.stop()
      await rm(data, { recursive: true, force: true })
    })

    it(`${KILLS} times has everything that it acknowledged, and nothing twice`, async () => {
      const setting = await settingFor(target)
      for (let round = 0; round < KILLS; round++) {
        const names = Array.from({ length: WRITERS }, (_, writer) => `m${round}-${writer}`)
        const written: Entry[][] = names.map(() => [])
        const writers = names.map((name, writer) =>
          writeUntilDead(target, setting, name, random(chance.below(2 ** 31)), written[writer]),
        )
        const rebuilding = round % REBUILD_EVERY === 3 ? command('rebuild', '--json') : undefined
        await until(
          () => written.flat().filter(isAcknowledged).length > WRITERS,
          'a write of each writer, and one more',
        )
        await pause((rebuilding ? 290 : 0) + chance.below(240))
        await service.stop('SIGKILL')
        const sent = (await Promise.all(writers)).flat()
        await rebuilding
        await start()
        ledger.push(await repeat(target, sent))
      }
      await expectAllThere(target, ledger, name)
    })

    it('has a log without a gap', async () => {
      const exported = await command('events', 'export')
      expectNoGap(exported.out)
    })

    it('has the documents that a fresh rebuild gives', async () => {
      await caughtUp(target.url)
      expect(await service.stop()).to.equal(0)
      const live = await documentsOnDisk(data)
      expect((await command('rebuild', '--json')).code).to.equal(0)
      expect(countOf(live)).to.be.greaterThan(ledger.flat().length / 2)
      expectSameDocuments(await documentsOnDisk(data), live)
    })
  })
}
