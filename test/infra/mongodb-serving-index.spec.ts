import { expect } from 'chai'
import type { Condition, Index, Where } from '../../domain/kernel/ports/read-models.ts'
import { MaintainedIndex } from '../../infra/read-models/embedded/index-entries.ts'
import { idsOf, planOf } from '../../infra/read-models/embedded/plan.ts'
import { isServed } from '../../infra/read-models/serving-index.ts'
import { random, seedOfRun } from '../support/random.ts'

const FIELDS = ['a', 'b', 'c', 'id'] as const
const CONDITIONS: readonly Condition[] = [
  1,
  null,
  'x',
  [1],
  { x: 1 },
  { $in: [1, 2] },
  { $in: [[1]] },
  { $gt: 1 },
  { $ne: 1 },
]

describe('Whether an index serves a query', () => {
  it('is answered alike for every store', () => {
    const { below, pick } = random(seedOfRun())
    const some = <T>(items: readonly T[]) => items.filter(() => below(3) === 0)
    const answers = new Set<boolean>()
    for (let round = 0; round < 5000; round++) {
      const indexes = Array.from({ length: below(3) }, (): Index => {
        const sort = pick([undefined, 'a', 'b', 'd'])
        return { fields: some(FIELDS.slice(0, 3)), ...(sort && { sort }) }
      })
      const where: Where = Object.fromEntries(some(FIELDS).map((field) => [field, pick(CONDITIONS)]))
      const sort = pick([undefined, 'id', 'a', 'b', 'd'])
      const maintained = indexes.map((index, number) => new MaintainedIndex({ ...index, number, multivalued: false }))
      const planned = idsOf(where) !== undefined || planOf(maintained, where, sort) !== undefined
      expect(isServed(indexes, where, sort), JSON.stringify({ indexes, where, sort })).to.equal(planned)
      answers.add(planned)
    }
    expect(answers.size).to.equal(2)
  })
})
