import { expect } from 'chai'
import { decide, programTarget } from '../../../api/pages/decide.ts'
import type { Entry } from '../../../api/pages/entry.ts'

const page = (path: string): Entry => ({ page: 1, step: 1, to: { path } })
const test = (id: number, weights: readonly [number, number], branches: readonly [Entry, Entry]): Entry => ({
  id,
  weights,
  filterId: null,
  branches,
})
const newcomer = { places: new Map<number, 0 | 1>(), meets: async () => undefined }

const pathsOf = async (entry: Entry, visitors: number): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  for (let count = 0; count < visitors; count++) {
    const { to } = await decide(entry, newcomer)
    const path = 'path' in to ? to.path : ''
    counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return counts
}

const chiSquare = (observed: readonly number[], expected: readonly number[]): number =>
  observed.reduce((sum, count, index) => sum + (count - expected[index]!) ** 2 / expected[index]!, 0)

describe('draws at the entry of a funnel', () => {
  it('30, 32: fit the weights, and those of two splits are independent of each other', async () => {
    const inner = (name: string) => test(2, [50, 50], [page(`/${name}a`), page(`/${name}b`)])
    const counts = await pathsOf(test(1, [50, 50], [inner('a'), inner('b')]), 100_000)
    const observed = ['/aa', '/ab', '/ba', '/bb'].map((path) => counts.get(path) ?? 0)
    // p = 0.0001 with three degrees of freedom.
    expect(chiSquare(observed, [25_000, 25_000, 25_000, 25_000])).to.be.below(21.1)
  })

  it('32: fit weights of 1 to 99, and are none at the ends', async () => {
    const counts = await pathsOf(test(1, [1, 99], [page('/a'), page('/b')]), 100_000)
    expect(chiSquare([counts.get('/a') ?? 0, counts.get('/b') ?? 0], [1000, 99_000])).to.be.below(15.1)
    expect([...(await pathsOf(test(1, [0, 100], [page('/a'), page('/b')]), 5000)).keys()]).to.deep.equal(['/b'])
    expect([...(await pathsOf(test(1, [100, 0], [page('/a'), page('/b')]), 5000)).keys()]).to.deep.equal(['/a'])
  })

  it('lead programs to the branch with the highest weight, and where visitors who are not known go', () => {
    const [a, b, c] = [page('/a'), page('/b'), page('/c')]
    const conditional = (branches: readonly [Entry | undefined, Entry | undefined]): Entry => ({
      ...{ id: 9, weights: null, filterId: 3, branches },
    })
    const led: readonly (readonly [Entry, string])[] = [
      [test(1, [0, 100], [a, b]), '/b'],
      [test(1, [100, 0], [a, b]), '/a'],
      [test(1, [49, 51], [a, b]), '/b'],
      [test(1, [50, 50], [a, b]), '/a'],
      [test(1, [30, 70], [a, test(2, [60, 40], [b, c])]), '/b'],
      [{ id: 1, weights: [0, 100], filterId: null, branches: [a, undefined] }, '/a'],
      [conditional([a, b]), '/b'],
      [conditional([a, undefined]), '/a'],
      [conditional([a, test(2, [1, 99], [b, c])]), '/c'],
    ]
    for (const [entry, path] of led) expect(programTarget(entry)).to.deep.equal({ path })
  })

  it('34: leave a contact in the branch that it qualified for first', async () => {
    const entry: Entry = { id: 7, weights: null, filterId: 3, branches: [page('/yes'), page('/no')] }
    const visit = (meets: boolean | undefined, places = new Map<number, 0 | 1>()) =>
      decide(entry, { places, meets: async () => meets })
    expect(await visit(undefined)).to.deep.equal({ to: { path: '/no' }, page: 1, step: 1, placed: [] })
    const qualified = await visit(true)
    expect([qualified.to, qualified.placed.length]).to.deep.equal([{ path: '/yes' }, 1])
    expect(await visit(false, new Map([[7, 0]]))).to.deep.equal({ to: { path: '/yes' }, page: 1, step: 1, placed: [] })
  })
})
