import { expect } from 'chai'
import fc from 'fast-check'
import { bytesOf, cut } from '../../../api/agents/calls/cut.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'

describe('cutting answers', () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>

  it('16 61: no part is longer than allowed, whatever the value', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 200, max: 2000 }), (value, budget) => {
        const part = cut(value, budget)!
        expect(bytesOf(part.data)).to.be.at.most(budget)
        for (const place of part.rest) expect(cut(value, budget, place), place).not.to.equal(undefined)
      }),
    )
  })

  it('16 61: the parts of a list are the list', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60, unit: 'binary' }), { maxLength: 80 }), (items) => {
        const all: Json[] = []
        for (let place: string | undefined = '@0'; place !== undefined; ) {
          const part: ReturnType<typeof cut> = cut(items, 600, place)
          all.push(...(part!.data as Json[]))
          place = part!.rest[0]
        }
        expect(all).to.deep.equal(items)
      }),
    )
  })

  it('a place under a name that looks like one is found', () => {
    expect(cut({ 'a@1\n': { '@': ['x', 'y'] } }, 1000, '/a@1\n/@@1')).to.deep.equal({ data: ['y'], rest: [] })
  })

  it('a place that is not there is none', () => {
    expect(cut({ a: [1] }, 1000, '/b@0')).to.equal(undefined)
    expect(cut({ a: [1] }, 1000, 'nonsense')).to.equal(undefined)
    expect(cut({ a: [1, 2] }, 1000, '/a@1')).to.deep.equal({ data: [2], rest: [] })
  })
})
