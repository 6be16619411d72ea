import { expect } from 'chai'
import { Stretches } from '../../../workers/reactor/stretches.ts'
import { random, seedOfRun } from '../../support/random.ts'

/** Positions of the log, which has gaps. */
const POSITIONS = Array.from({ length: 20_000 }, (_, n) => n * 7)

describe('stretches of the log in which events wait', () => {
  it('lead to each of them, past long parts without any', () => {
    const numbers = random(seedOfRun())
    const waiting = new Set(POSITIONS.filter(() => numbers.below(100) < 20))
    const stretches = new Stretches()
    for (const [n, position] of POSITIONS.entries())
      if (waiting.has(position)) stretches.note(POSITIONS[n - 1] ?? -1, position)
    for (let cursor = -1; ; ) {
      const next = stretches.next(cursor)
      if (next === undefined) break
      for (const position of POSITIONS)
        if (position > cursor && position <= next) expect(waiting.has(position)).to.equal(false)
      for (const position of POSITIONS.slice(next < 0 ? 0 : next / 7 + 1).slice(0, 256)) {
        waiting.delete(position)
        cursor = position
      }
    }
    expect(waiting.size).to.equal(0)
  })

  it('end where the last of them is', () => {
    const stretches = new Stretches()
    stretches.note(3, 5)
    stretches.note(5, 9)
    stretches.note(1000, 1001)
    expect(stretches.next(4)).to.equal(4)
    expect(stretches.next(9)).to.equal(1000)
    expect(stretches.next(1001)).to.equal(undefined)
  })
})
