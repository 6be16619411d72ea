import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { arrivalsFit, entriesFit } from '../../../domain/statistics/fit.ts'
import { countOf, placementsIn, type WeighedEntries } from '../../../domain/statistics/placements.ts'
import { statisticsTally } from '../../../domain/statistics/tally.ts'
import { placement } from '../../../domain/visits/placement/model.ts'
import { createProjection } from '../../../projections/projection.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { ids, OpenVault } from '../../support/projection.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { DAY, HOUR, MINUTE } from '../../support/statistics/traffic.ts'

const FROM = Date.UTC(2026, 2, 1)
const WEIGHTS: readonly (readonly [number, number] | null)[] = [[50, 50], [1, 99], null]

type Pair = readonly [number, number]
const drawn = (weights: Pair, counts: Pair): WeighedEntries => ({ weights, counts })

describe('entries of splits', () => {
  const r = random(seedOfRun())
  const placed = (position: number): RecordedEvent => ({
    ...{
      id: String(position),
      stream: `visits/placement-${position}`,
      revision: 0,
      position,
      type: placement.event.EntryPlaced.type,
    },
    data: {
      ...{ workspace_id: 1, funnel_id: 5, split_id: r.pick([7, 8]), branch: r.below(2), weights: r.pick(WEIGHTS) },
      ...r.pick([{}, { show_page_step_id: 31, page_id: 41 }, { show_page_step_id: 32, page_id: 42 }]),
      ...{ live_mode: r.below(4) > 0, again: false },
    },
    metadata: {
      at: new Date(FROM + r.below(3 * DAY)).toISOString(),
      ...{ actor: 'test', $causationId: 'test', $correlationId: 'test' },
    },
  })

  it('13b 36: are counted exactly in a window with edges anywhere, by the weights of their moment', async () => {
    const events = Array.from({ length: 600 }, (_, index) => placed(index + 1))
    const models = new MemoryReadModels()
    const project = createProjection({
      ...{ resources: [], tallies: [statisticsTally], vault: new OpenVault(), publicIds: ids },
      upcast: (event) => event,
    })
    for (let at = 0; at < events.length; at += 70) await project(events.slice(at, at + 70), models)
    for (let times = 0; times < 100; times++) {
      const edge = () => r.pick([FROM + r.below(3 * DAY), Date.parse(r.pick(events).metadata.at) + r.below(3) - 1])
      const from = edge()
      const to = r.pick([edge(), from + r.below(2 * MINUTE), from + r.below(5 * HOUR)])
      const window = { from: Math.min(from, to), to: Math.max(from, to) }
      const asked = { splitId: r.pick([7, 8]), live: r.below(2) > 0, window }
      const found = await placementsIn(asked, models)
      const isCounted = ({ data, metadata }: RecordedEvent) =>
        data.split_id === asked.splitId &&
        data.live_mode === asked.live &&
        Date.parse(metadata.at) >= window.from &&
        Date.parse(metadata.at) < window.to
      const counted = events.filter(isCounted)
      for (const weights of WEIGHTS) {
        const { counts } = found.weighed.find((one) => String(one.weights) === String(weights)) ?? { counts: [0, 0] }
        const of = (branch: number) =>
          counted.filter(({ data }) => String(data.weights) === String(weights) && data.branch === branch).length
        expect(counts, JSON.stringify({ asked, seed: r.seed })).to.deep.equal([of(0), of(1)])
      }
      for (const stepId of [0, 31, 32]) {
        const of = counted.filter(({ data }) => Number(data.show_page_step_id ?? 0) === stepId)
        const shown = found.shown.filter((one) => one.stepId === stepId)
        expect(countOf(shown), JSON.stringify({ asked, seed: r.seed })).to.equal(of.length)
      }
    }
  })

  it('of half a minute are counted exactly, whichever part of a minute it begins in', async () => {
    const events = Array.from({ length: 400 }, (_, index) => {
      const event = placed(index + 1)
      return { ...event, metadata: { ...event.metadata, at: new Date(FROM + r.below(3 * MINUTE)).toISOString() } }
    })
    const models = new MemoryReadModels()
    await createProjection({
      ...{ resources: [], tallies: [statisticsTally], vault: new OpenVault(), publicIds: ids },
      upcast: (event) => event,
    })(events, models)
    for (let half = 0; half < 120; half++) {
      const from = FROM + MINUTE + half * 500
      const window = { from, to: from + MINUTE / 2 }
      const { shown, weighed } = await placementsIn({ splitId: 7, live: true, window }, models)
      const counted = events.filter(({ data, metadata }) => {
        const at = Date.parse(metadata.at)
        return data.split_id === 7 && data.live_mode === true && at >= window.from && at < window.to
      }).length
      const sum = weighed.reduce((total, { counts }) => total + counts[0] + counts[1], 0)
      expect([countOf(shown), sum], `seed ${r.seed}, at half second ${half}`).to.deep.equal([counted, counted])
    }
  })

  it('13b 36: are judged from 100 on, each period of weights by its own', () => {
    expect(entriesFit([drawn([50, 50], [90, 9])])).to.equal(null)
    expect(entriesFit([drawn([50, 50], [90, 10])])).to.equal(false)
    // χ² is 10.89 and 10.76; p = 0.001 is at 10.83.
    expect(entriesFit([drawn([50, 50], [1153, 1000])])).to.equal(false)
    expect(entriesFit([drawn([50, 50], [1152, 1000])])).to.equal(true)
    expect(entriesFit([drawn([90, 10], [900, 100]), drawn([10, 90], [100, 900])])).to.equal(true)
    expect(entriesFit([drawn([50, 50], [500, 500]), drawn([10, 90], [200, 800])])).to.equal(false)
    expect(entriesFit([drawn([0, 100], [0, 500])])).to.equal(null)
    // One of a hundred: too few are expected to be judged.
    expect(entriesFit([drawn([1, 99], [6, 94])])).to.equal(null)
    expect(entriesFit([{ weights: null, counts: [900, 100] }])).to.equal(null)
  })

  it('13b 36: are compared with the arrivals while weights stay', () => {
    const even = drawn([50, 50], [500, 500])
    expect(arrivalsFit([even], [430, 470])).to.equal(true)
    expect(arrivalsFit([even], [300, 470])).to.equal(false)
    expect(arrivalsFit([drawn([50, 50], [49, 50])], [10, 50])).to.equal(null)
    expect(arrivalsFit([even, drawn([90, 10], [90, 10])], [300, 470])).to.equal(null)
    expect(arrivalsFit([even], [0, 0])).to.equal(null)
    expect(arrivalsFit([{ weights: null, counts: [500, 500] }], [300, 470])).to.equal(null)
  })
})
