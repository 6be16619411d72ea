import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { Rebuild } from '../../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { NO_SALES } from '../../../domain/statistics/addition.ts'
import { statisticsTally } from '../../../domain/statistics/tally.ts'
import { type Asked, type Totals, totalsIn, totalsOf } from '../../../domain/statistics/totals.ts'
import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { collectionsOf } from '../../../projections/collections.ts'
import { fingerprintsOf } from '../../../projections/fingerprints.ts'
import { createProjection } from '../../../projections/projection.ts'
import { ids, OpenVault } from '../../support/projection.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { addToLog, askLog, emptyLog, type SqlStep } from '../../support/statistics/sql.ts'
import { DAY, HOUR, visitorTraffic } from '../../support/statistics/traffic.ts'

/** Sessions of the whole test, and of each part of the traffic. There are about four events for each. */
const [SESSIONS, AT_ONCE] = process.env.FAULTS === 'long' ? [230_000, 10_000] : [2000, 500]
const STEPS = [21, 22, 23, 24]
const FUNNEL = 3
const FROM = Date.UTC(2026, 0, 10)
const SPAN = 30 * DAY
const BATCH = 2000

/** Yields the traffic part by part. Streams and positions go on where the part before ended. */
function* parts(seed: number): Generator<readonly RecordedEvent[]> {
  let position = 0
  for (let part = 0; part * AT_ONCE < SESSIONS; part++) {
    const plan = { funnelId: FUNNEL, stepIds: STEPS, sessions: AT_ONCE, from: FROM, to: FROM + SPAN }
    const events = visitorTraffic({ ...plan, seed: seed + part }).map((event) => ({
      ...event,
      stream: event.stream.replace(/\d+$/, (id) => String(Number(id) + part * 100 * AT_ONCE)),
      position: position++,
    }))
    yield events
  }
}

const ofStep = (step: number, { views, sessions, optins, sales }: Totals) => {
  const { upfront, recurring } = sales.get('USD') ?? NO_SALES
  return { step, views, sessions, optins, paid: Number(upfront + recurring) / 100 }
}

describe('statistics and the question of docs/history.md to the log', function () {
  this.timeout(3_600_000)
  let directory: string
  before(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'millrace-sql-statistics-'))
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  const fill = async (seed: number, building: Rebuild, log: ReturnType<typeof emptyLog>) => {
    const project = createProjection({
      ...{ resources: [], tallies: [statisticsTally], vault: new OpenVault(), publicIds: ids },
      upcast: (event) => event,
    })
    let count = 0
    for (const events of parts(seed)) {
      addToLog(log, events)
      for (let from = 0; from < events.length; from += BATCH) await project(events.slice(from, from + BATCH), building)
      count += events.length
    }
    return count
  }

  it('have the same answer in any window, as of any moment (cases 52, 53)', async () => {
    const seed = seedOfRun()
    const r = random(seed)
    const collections = collectionsOf([], [statisticsTally])
    const store = await openSqliteReadModels(path.join(directory, 'views.db'), collections)
    const log = emptyLog(path.join(directory, 'log.db'))
    const building = await store.rebuild(fingerprintsOf([], [statisticsTally]))
    const count = await fill(seed, building, log)
    await building.ready()
    await building.takeOver()
    console.log(`      ${count} events`)
    for (let n = 0; n < 10; n++) {
      const from = FROM + r.below(SPAN)
      const to = from + r.pick([r.below(2 * HOUR), r.below(SPAN), SPAN])
      // Every moment, now and then before the end of the window, which then ends there.
      const recordedUntil = n % 2 === 0 ? undefined : Math.min(to, from + r.below(SPAN))
      const window = { from, to: Math.min(to, recordedUntil ?? to) }
      const asked: Asked = {
        ...{ funnelId: FUNNEL, stepIds: STEPS, live: n % 5 > 0, window },
        ...(recordedUntil !== undefined && { recordedUntil }),
      }
      const { steps } = await totalsIn(asked, store.live)
      const rows = new Map(askLog(log, asked).map(({ orders: _, ...row }: SqlStep) => [row.step, row]))
      const none = { views: 0, sessions: 0, optins: 0, paid: 0 }
      for (const step of STEPS)
        expect(ofStep(step, totalsOf(steps, step)), JSON.stringify({ asked, seed })).to.deep.equal(
          rows.get(step) ?? { ...none, step },
        )
    }
    log.close()
    await store.close()
  })
})
