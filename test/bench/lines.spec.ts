import { expect } from 'chai'
import { measure } from '../../bench/lines/measure.ts'

const counts = (text: string) => {
  const { lines, tokens, casts } = measure(text)
  return [lines, tokens, casts]
}

describe('the measurements of a source', () => {
  it('is its lines without blank ones and comments', () => {
    expect(counts('// a\n\nconst a = 1 // one\n/* b\n * c\n */\n')).to.deep.equal([1, 4, 0])
    expect(counts('')).to.deep.equal([0, 0, 0])
    expect(counts('f(`a\n\n$' + '{b({ c })} d`)\n')).to.deep.equal([3, 11, 0])
  })

  it('is its tokens, expressions and divisions told apart', () => {
    expect(counts('const a = /[/"]\\/\\*/.test(b)')[1]).to.equal(9)
    expect(counts('const a = (b) / c / d')[1]).to.equal(10)
  })

  it('is its casts, but not what is constant, renamed or merely called as', () => {
    expect(counts('const a = b as C')[2]).to.equal(1)
    expect(counts('f((b() as unknown as C)!, [] as readonly D[], { e } as F)')[2]).to.equal(4)
    expect(counts("const a = ['b'] as const")[2]).to.equal(0)
    expect(counts("import { a as b } from 'c'\nimport * as d from 'e'")[2]).to.equal(0)
    expect(counts('interface A { readonly as?: string }\nconst b = { as: 1, c, as }\nd(type, as)')[2]).to.equal(0)
  })

  it('has the names and strings that occur in it', () => {
    expect([...measure("f({ a: 'b c' })").words]).to.include.members(['a', 'b c'])
  })
})
