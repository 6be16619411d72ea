import { expect } from 'chai'
import { rowsOf } from '../../bench/against/compare.ts'
import { chosen, PROBES } from '../../bench/letters/index.ts'
import { columnsOf, targetsOf } from '../../bench/probe.ts'
import { asText, costTable, isMet, targetRows } from '../../bench/report.ts'
import { inTurn, interleave } from '../../bench/rounds.ts'
import { median, quantile, spread } from '../../bench/statistics.ts'

const reading = (label: string, value: number | undefined) => ({ label, unit: 'ms', value })

describe('the results of benchmarks', () => {
  it('have a column for each reading that every round has', () => {
    const rounds = [
      [reading('a', 1), reading('b', undefined)],
      [reading('a', 3), reading('b', 2)],
    ]
    expect(columnsOf(rounds)).to.deep.equal([{ label: 'a', unit: 'ms', values: [1, 3] }])
    expect(columnsOf([])).to.deep.equal([])
  })

  it('have a row for each reading that both sides have, with the ratio of every round', () => {
    const ours = [
      [reading('a', 4), reading('new', 1)],
      [reading('a', 9), reading('new', 1)],
    ]
    const theirs = [
      [reading('old', 5), reading('a', 2)],
      [reading('old', 5), reading('a', 3)],
    ]
    expect(rowsOf({ ours, theirs })).to.deep.equal([
      { label: 'a', unit: 'ms', ours: [4, 9], theirs: [2, 3], ratios: [2, 3] },
    ])
  })

  it('have a target for each wish with a reading', () => {
    const wishes = [
      { says: 'quick', of: 'a', atMost: 5, goal: 2 },
      { says: 'gone', of: 'b', atMost: 5 },
    ]
    const figures = [{ label: 'a', unit: 'ms', values: [1, 9, 4] }]
    expect(targetsOf(wishes, figures)).to.deep.equal([{ says: 'quick', unit: 'ms', value: 4, atMost: 5, goal: 2 }])
  })
})

describe('reports of benchmarks', () => {
  const missed = { says: 'rate', value: 7, unit: '/s', atLeast: 10, goal: 20 }
  const seen = { says: 'p99', value: 1.234, unit: 'ms' }

  it('hold a target to its limit and not to its goal; what has no limit is met', () => {
    expect(isMet(missed)).to.equal(false)
    expect(isMet({ ...missed, value: 10 })).to.equal(true)
    expect(isMet({ says: 'time', value: 3, unit: 'ms', atMost: 3, goal: 1 })).to.equal(true)
    expect(isMet(seen)).to.equal(true)
  })

  it('are rows of a table, what was missed in bold', () => {
    expect(targetRows('a', [missed, seen])).to.deep.equal([
      '| a | rate | ≥ 10 /s | ≥ 20 /s | **7 /s** |',
      '| a | p99 |  |  | 1.23 ms |',
    ])
  })

  it('are a table of the figures where nothing was wished for', () => {
    const figures = [{ label: 'router', unit: 'µs', values: [1, 3, 2] }]
    expect(costTable({ benchmark: 'n', title: 'costs', figures, targets: [] })).to.equal(
      '\n| n | Costs |\n| --- | --- |\n| router | 2 µs |',
    )
  })

  it('say in words what has a limit', () => {
    const text = asText({ benchmark: 'a', title: 'writes', figures: [], targets: [missed, seen], notes: ['a note'] })
    expect(text).to.match(/rate +7 \/s {2}\(at least 10 \/s: MISSED\)/)
    expect(text).to.include('a note').and.not.include('p99')
  })
})

describe('rounds', () => {
  const logging = (log: string[], name: string) => async () => {
    log.push(name)
    return [name]
  }

  it('have their steps in the opposite order every other time, and give what they found in one', async () => {
    const log: string[] = []
    const steps = [logging(log, 'a'), logging(log, 'b')]
    expect(await inTurn(1, steps)).to.deep.equal(['a', 'b'])
    expect(await inTurn(2, steps)).to.deep.equal(['a', 'b'])
    expect(log).to.deep.equal(['a', 'b', 'b', 'a'])
  })

  it('do not count the first, which warms up', async () => {
    const values = await interleave(2, { ours: async (round) => round })
    expect(values).to.deep.equal({ ours: [1, 2] })
  })

  it('come to medians and half their range', () => {
    expect([median([3, 1, 2]), quantile([1, 2], 0.75)]).to.deep.equal([2, 1.75])
    expect([spread([9, 10, 12]), spread([-1, -2, -3])]).to.deep.equal([0.15, 0.5])
    expect(() => median([])).to.throw(RangeError)
  })
})

describe('letters', () => {
  it('name one benchmark each', () => {
    expect([...PROBES.keys()].join('')).to.equal('abcdefghijklmnovpqrst')
    expect(chosen('c, a').map(({ benchmark }) => benchmark)).to.deep.equal(['c', 'a'])
    expect(() => chosen('z')).to.throw('there is no benchmark z')
  })
})
