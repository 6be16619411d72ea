import { expect } from 'chai'
import fc from 'fast-check'
import { resultOf } from '../../../api/agents/calls/answer.ts'
import { cut } from '../../../api/agents/calls/cut.ts'
import { bytesOf, bytesWithin } from '../../../api/agents/calls/size.ts'
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

  it('16 61: no part has more bytes than 25,000 tokens have in the scripts that have the fewest, and the parts are the whole', () => {
    for (const piece of ['x', '日本語', '日😀', '😀', 'aGVsbG8', '\n', '"\\']) {
      const notes = piece.repeat(400_000 / piece.length)
      let whole = ''
      for (let place: string | undefined = '/notes@0'; place !== undefined; ) {
        const { content, structuredContent } = resultOf({ says: { status: 200 }, data: { notes } }, place)
        const [first] = content
        expect(first).to.deep.equal({ type: 'text', text: JSON.stringify(structuredContent) })
        expect(Buffer.byteLength(JSON.stringify(structuredContent))).to.be.at.most(25_000 * 1.3)
        const { data, continue_at } = structuredContent as { data: string; continue_at?: readonly string[] }
        whole += data
        place = continue_at?.[0]
      }
      expect(whole === notes, piece).to.equal(true)
    }
  })

  it('bytes are counted up to a limit as JSON has them, and nothing is looked at beyond it', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 400 }), (value, most) => {
        const [all, within] = [bytesOf(value), bytesWithin(value, most)]
        if (all <= most) expect(within).to.equal(all)
        else expect(within).to.be.above(most)
      }),
    )
    let looks = 0
    const items = Array.from({ length: 1000 }, () => ({
      get text() {
        looks++
        return 'x'.repeat(100)
      },
    }))
    const { data, rest } = cut({ items }, 3000)!
    expect([bytesOf(data) <= 3000, rest]).to.deep.equal([true, ['/items@26']])
    expect(looks).to.be.below(300)
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
