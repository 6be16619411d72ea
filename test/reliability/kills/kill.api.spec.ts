import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { countOf, documentsOnDisk, expectSameDocuments } from '../../support/documents.ts'
import { millrace, type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { caughtUp } from '../caught-up.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { executeWrite, isAcknowledged, type Ledger, type Target } from '../ledger.ts'
import { expectLastChanges, expectOnce, findMarks, settingFor } from '../outcome.ts'
import { writeUntilDead } from '../writers.ts'

const KILLS = byForm(4, 100)
const WRITERS = 6
/** In one of this many rounds a rebuild is running when the service is killed. */
const REBUILD_EVERY = 7

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

/** Repeats the requests without an answer, and some of those with one, under their idempotency keys. */
const repeat = async (target: Target, ledger: Ledger): Promise<Ledger> =>
  Promise.all(
    ledger.map(async (entry, index) => {
      if (entry.key === undefined || (isAcknowledged(entry) && index % 3 > 0)) return entry
      const again = await executeWrite(target, entry)
      if (isAcknowledged(entry)) expect(again.id, `${entry.mark} sent again`).to.equal(entry.id)
      return again
    }),
  )

describe('the service killed while it writes', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let target: Target
  let chance: Random
  const ledger: Ledger[] = []

  const start = async () => {
    service = await spawnMillrace(data)
    target = { ...target, url: service.ready.origin, workspaceId: service.ready.workspace_id }
  }

  before(async () => {
    chance = random(seedOfRun())
    data = await mkdtemp(path.join(tmpdir(), 'millrace-kill-'))
    await start()
    target = { ...target, token: service.ready.api_key! }
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  it(`${KILLS} times has everything that it acknowledged, and nothing twice`, async () => {
    const setting = await settingFor(target)
    for (let round = 0; round < KILLS; round++) {
      const names = Array.from({ length: WRITERS }, (_, writer) => `m${round}-${writer}`)
      const writers = names.map((name) => writeUntilDead(target, setting, name, random(chance.below(2 ** 31))))
      const rebuilding = round % REBUILD_EVERY === 3 ? millrace(['rebuild', '--data', data, '--json']) : undefined
      await pause((rebuilding ? 350 : 60) + chance.below(240))
      await service.stop('SIGKILL')
      const sent = (await Promise.all(writers)).flat()
      await rebuilding
      await start()
      ledger.push(await repeat(target, sent))
    }
    const acknowledged = ledger.flat().filter(isAcknowledged)
    printFigures(
      'kills',
      `${KILLS} kills; ${acknowledged.length} of ${ledger.flat().length} writes acknowledged, each there once`,
    )
    expect(acknowledged.length).to.be.greaterThan(KILLS * WRITERS)
    const seen = await findMarks(target)
    expectOnce(ledger.flat(), seen)
    expectLastChanges(ledger.flat(), seen)
  })

  it('has a log without a gap', async () => {
    const exported = await millrace(['events', 'export', '--data', data])
    const events = exported.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; stream: string; revision: number })
    const revisions = new Map<string, number>()
    for (const { stream, revision } of events) {
      expect(revision, stream).to.equal((revisions.get(stream) ?? -1) + 1)
      revisions.set(stream, revision)
    }
    expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length)
  })

  it('has the documents that a fresh rebuild gives', async () => {
    await caughtUp(target.url)
    expect(await service.stop()).to.equal(0)
    const live = await documentsOnDisk(data)
    expect((await millrace(['rebuild', '--data', data, '--json'])).code).to.equal(0)
    expect(countOf(live)).to.be.greaterThan(ledger.flat().length / 2)
    expectSameDocuments(await documentsOnDisk(data), live)
  })
})
