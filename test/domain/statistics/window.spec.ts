import { expect } from 'chai'
import * as fc from 'fast-check'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { windowOf } from '../../../domain/statistics/window.ts'

const DAY = 86_400_000
const MINUTE = 60_000

describe('The window that statistics are asked for', () => {
  it('is as it was sent when it is possible, has at most 90 days, and else begins at a whole minute', () => {
    const moment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) })
    const sent = fc.option(moment, { nil: undefined })
    fc.assert(
      fc.property(moment, sent, sent, (now, start, end) => {
        const text = (at: number | undefined) => at && new Date(at).toISOString()
        const window = windowOf({ start: text(start) || undefined, end: text(end) || undefined }, now)
        if (window instanceof Refusal) throw window
        const { from, to } = window
        expect(to).to.equal(Math.min(end ?? now, now))
        expect(from).to.be.at.most(to)
        expect(to - from).to.be.at.most(90 * DAY)
        const isPossible = start !== undefined && start <= to && to - start <= 90 * DAY
        expect(isPossible ? from : from % MINUTE).to.equal(isPossible ? start : 0)
        if (start !== undefined && to - start > 90 * DAY) expect(to - from).to.be.above(90 * DAY - MINUTE)
      }),
      { seed: 7, numRuns: 2000 },
    )
  })
})
