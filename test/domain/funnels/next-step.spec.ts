import { expect } from 'chai'
import type { Branches, Node, Tree } from '../../../domain/funnels/funnel/tree.ts'
import { firstPageOf, type PageNode, stepsAfter } from '../../../domain/funnels/public.ts'
import { variantFor } from '../../../domain/resources/tree/variant.ts'

const page = (id: number): PageNode => ({
  ...{ type: 'show_page_step', id, show_page_step_id: id, page_id: id, current_path: null },
})
const split = (id: number, branches: Branches, weights: readonly [number, number] = [50, 50]): Node => ({
  type: 'split_test_step',
  id,
  weights,
  branches,
})

// 1, then a split of [2, 3] and [a split of [4] and nothing, then 5], then 6.
const inner = split(101, [[page(4)], []])
const tree: Tree = [
  page(1),
  split(100, [
    [page(2), page(3)],
    [inner, page(5)],
  ]),
  page(6),
]

const pageAfter = async (step: number, branches: Readonly<Record<number, 0 | 1>>) => {
  const rest = stepsAfter(tree, step)
  return rest && (await firstPageOf(rest, ({ id }) => branches[id]!))?.page_id
}

/** Critical value of χ² with one degree of freedom at p = 0.001. */
const CHI_SQUARE = 10.83
const VISITORS = 100_000

const chiSquare = (observed: readonly number[], expected: readonly number[]): number =>
  observed.reduce((sum, one, index) => sum + (one - expected[index]!) ** 2 / expected[index]!, 0)

describe('the next step of a funnel', () => {
  it('is the next one in its branch, and behind a branch that of the sequence around it', async () => {
    expect(await pageAfter(2, {})).to.equal(3)
    expect(await pageAfter(3, {})).to.equal(6)
    expect(await pageAfter(4, {})).to.equal(5)
    expect(await pageAfter(5, {})).to.equal(6)
    expect(await pageAfter(6, {})).to.equal(undefined)
    expect(stepsAfter(tree, 99)).to.equal(undefined)
  })

  it('is found through splits, whose empty branches lead on behind them', async () => {
    expect(await pageAfter(1, { 100: 0 })).to.equal(2)
    expect(await pageAfter(1, { 100: 1, 101: 0 })).to.equal(4)
    expect(await pageAfter(1, { 100: 1, 101: 1 })).to.equal(5)
  })

  it('is the same variant for a visitor each time, and exact at the ends (13b 32)', () => {
    for (let n = 0; n < 1000; n++) {
      const visitor = `visitor ${n}`
      expect(variantFor({ id: 1, weights: [100, 0] }, visitor)).to.equal(0)
      expect(variantFor({ id: 1, weights: [0, 100] }, visitor)).to.equal(1)
      expect(variantFor({ id: 1, weights: [50, 50] }, visitor)).to.equal(
        variantFor({ id: 1, weights: [50, 50] }, visitor),
      )
    }
  })

  it('divides visitors by the weights, also those whose ids differ in the last characters (13b 32)', () => {
    for (const [first, second] of [
      [50, 50],
      [30, 70],
      [1, 99],
    ] as const) {
      let ofFirst = 0
      for (let n = 0; n < VISITORS; n++)
        if (variantFor({ id: 7, weights: [first, second] }, `AAAAAAAAAAAAAAAAA${n}`) === 0) ofFirst++
      const expected = [first, second].map((weight) => (VISITORS * weight) / 100)
      expect(chiSquare([ofFirst, VISITORS - ofFirst], expected)).to.be.below(CHI_SQUARE)
    }
  })

  it('divides by two splits independently (13b 32)', () => {
    for (const ids of [
      [1, 2],
      [11, 12],
      [100, 1001],
    ] as const) {
      const counts = [0, 0, 0, 0]
      for (let n = 0; n < VISITORS; n++) {
        const [one, other] = ids.map((id) => variantFor({ id, weights: [50, 50] }, `visitor ${n}`))
        counts[one! * 2 + other!]!++
      }
      const [a, b, c, d] = counts as [number, number, number, number]
      const expected = [(a + b) * (a + c), (a + b) * (b + d), (c + d) * (a + c), (c + d) * (b + d)]
      expect(
        chiSquare(
          counts,
          expected.map((product) => product / VISITORS),
        ),
      ).to.be.below(CHI_SQUARE)
    }
  })
})
