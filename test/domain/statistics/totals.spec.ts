import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { statisticsTally } from '../../../domain/statistics/tally.ts'
import { type Asked, totalsIn, totalsOf } from '../../../domain/statistics/totals.ts'
import { createProjection } from '../../../projections/projection.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { ids, OpenVault } from '../../support/projection.ts'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { oracleOver, plain } from '../../support/statistics/oracle.ts'
import { DAY, HOUR, MINUTE, type TrafficPlan, visitorTraffic } from '../../support/statistics/traffic.ts'

const FROM = Date.UTC(2026, 2, 1)
const STEPS = [11, 12, 13]
const plan = (seed: number): TrafficPlan => ({
  ...{ seed, funnelId: 5, stepIds: STEPS, sessions: 200, from: FROM, to: FROM + 3 * DAY },
})

const projection = () =>
  createProjection({
    ...{ resources: [], tallies: [statisticsTally], vault: new OpenVault(), publicIds: ids },
    upcast: (event) => event,
  })

/** Windows of every kind: of hours, days and minutes, with edges anywhere, also on and just beside what happened. */
const windowIn = (r: Random, events: readonly RecordedEvent[]) => {
  const edge = () => {
    const any = FROM + r.below(3 * DAY)
    const event = r.pick(events)
    const happened = Date.parse(String(event.data.viewed_at ?? event.metadata.at)) + r.below(3) - 1
    return r.pick([any, Math.floor(any / HOUR) * HOUR, Math.floor(any / DAY) * DAY, happened, happened])
  }
  const from = edge()
  const to = r.pick([edge(), edge(), from + r.below(2 * MINUTE), from + r.below(DAY), FROM + 40 * DAY])
  return { from: Math.min(from, to), to: Math.max(from, to) }
}

describe('statistics', () => {
  const seed = seedOfRun()

  const expectEqual = async (models: MemoryReadModels, events: readonly RecordedEvent[], r: Random) => {
    const oracle = oracleOver(events)
    for (let n = 0; n < 60; n++) {
      const window = windowIn(r, events)
      const recordedUntil = r.below(3) === 0 ? window.to + r.below(HOUR) * r.below(2) : undefined
      const asked: Asked = {
        ...{ funnelId: 5, stepIds: STEPS, live: r.below(4) > 0, window },
        ...(recordedUntil !== undefined && { recordedUntil }),
      }
      const { funnel, steps } = await totalsIn(asked, models)
      const about = JSON.stringify({ asked, seed: r.seed })
      expect(plain(funnel), about).to.deep.equal(oracle(asked))
      for (const id of STEPS) expect(plain(totalsOf(steps, id)), `${about} ${id}`).to.deep.equal(oracle(asked, id))
    }
  }

  it('equal what looking at every event gives, at edges anywhere and as of any moment (cases 45, 50 to 53, 55 to 58)', async () => {
    for (let n = 0; n < 5; n++) {
      const r = random(seed + n)
      const events = visitorTraffic(plan(seed + n))
      const models = new MemoryReadModels()
      const project = projection()
      for (let from = 0; from < events.length; ) {
        const to = from + 1 + r.below(100)
        await project(events.slice(from, to), models)
        from = to
      }
      await expectEqual(models, events, r)
    }
  })

  it('of half a minute are exact, whichever part of a minute it begins in', async () => {
    const events = visitorTraffic({ ...plan(seed), from: FROM, to: FROM + 5 * MINUTE })
    const models = new MemoryReadModels()
    await projection()(events, models)
    const oracle = oracleOver(events)
    let counted = 0
    for (let half = 0; half < 120; half++) {
      const from = FROM + MINUTE + half * 500
      const asked: Asked = { funnelId: 5, stepIds: STEPS, live: true, window: { from, to: from + MINUTE / 2 } }
      const { funnel, steps } = await totalsIn(asked, models)
      counted += funnel.views
      expect(plain(funnel), `seed ${seed}, at half second ${half}`).to.deep.equal(oracle(asked))
      for (const id of STEPS)
        expect(plain(totalsOf(steps, id)), `seed ${seed}, at half second ${half}`).to.deep.equal(oracle(asked, id))
    }
    expect(counted).to.be.above(0)
  })

  it('are not changed by what is delivered again, whatever of it was stored (cases 41, 60)', async () => {
    for (let n = 0; n < 3; n++) {
      const r = random(seed + n)
      const events = visitorTraffic(plan(seed + n))
      const models = new MemoryReadModels()
      const project = projection()
      for (let from = 0; from < events.length; ) {
        const to = from + 1 + r.below(200)
        // A crash leaves any part of the batch stored, without the checkpoint.
        const crashing = Object.assign(Object.create(models) as MemoryReadModels, {
          get: models.get.bind(models),
          getMany: models.getMany.bind(models),
          apply: async (changes: Parameters<MemoryReadModels['apply']>[0]) =>
            models.applyPartly(changes.filter(() => r.below(2) === 0)),
        })
        if (r.below(2) === 0) await project(events.slice(from, to + r.below(50)), crashing)
        await project(events.slice(from, to), models)
        from = to
      }
      await expectEqual(models, events, r)
    }
  })
})
