import { expect } from 'chai'
import type { Query } from '../../domain/kernel/ports/read-models.ts'
import { inStretches, readOn } from '../../domain/kernel/ports/read-on.ts'

interface Leaf {
  readonly id: number
  readonly height: number | null
}

/** Leaves that a query finds in the order of their heights, and the queries. */
const tree = (leaves: readonly Leaf[]) => {
  const asked: Query[] = []
  const find = (query: Query): readonly Leaf[] => {
    asked.push(query)
    const { after, limit } = query
    const behind = typeof after === 'object' ? after.id : after
    const from = leaves.findIndex(({ id }) => id === behind) + 1
    return leaves.slice(from, from + (limit ?? leaves.length))
  }
  return { find, asked }
}

const leaves = (count: number): readonly Leaf[] =>
  Array.from({ length: count }, (_, index) => ({ id: count - index, height: index < 3 ? null : index }))

const BY_HEIGHT = { where: { tree: 1 }, sort: { by: 'height' } }

describe('reading on until enough is seen', () => {
  it('goes through all, the first stretch as long as the limit and each behind the last of the one before', async () => {
    const { find, asked } = tree(leaves(250))
    const lengths: number[] = []
    for await (const stretch of inStretches(find, { ...BY_HEIGHT, limit: 2 })) lengths.push(stretch.length)
    expect(lengths).to.deep.equal([2, 100, 100, 48])
    expect(asked.map(({ after }) => after)).to.deep.equal([
      undefined,
      { id: 249, value: null },
      { id: 149, value: 101 },
      { id: 49, value: 201 },
    ])
  })

  it('a place in the order of ids is the id alone', async () => {
    const { find, asked } = tree(leaves(4))
    for await (const _ of inStretches(find, { where: {}, limit: 2, after: 4 }));
    expect(asked.map(({ after }) => after)).to.deep.equal([4, 2])
  })

  it('serves others between two stretches', async () => {
    const { find } = tree(leaves(300))
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    count()
    for await (const _ of inStretches(find, { where: {}, limit: 50 }));
    isOver = true
    expect(turns).to.be.at.least(3)
  })

  it('finds what is seen behind any number that is hidden, and no more than is wanted', async () => {
    const { find, asked } = tree(leaves(1000))
    const see = (stretch: readonly Leaf[]) => stretch.flatMap(({ id }) => (id <= 400 && id % 2 === 0 ? [`#${id}`] : []))
    expect(await readOn(inStretches(find, { where: {}, limit: 5 }), 3, see)).to.deep.equal(['#400', '#398', '#396'])
    expect(asked).to.have.length(7)
    expect(await readOn(inStretches(find, { where: {}, limit: 5 }), 1000, see)).to.have.length(200)
    expect(await readOn(inStretches(find, { where: {}, limit: 5 }), 0, see)).to.deep.equal([])
  })
})
