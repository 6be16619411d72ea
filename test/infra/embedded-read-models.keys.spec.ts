import { expect } from 'chai'
import fc from 'fast-check'
import { KeyBuffer } from '../../infra/read-models/embedded/key-buffer.ts'
import { endOfValue, readId } from '../../infra/read-models/embedded/key-reading.ts'
import { compare } from './read-models/naive.ts'

const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const value = fc.oneof(
  number,
  fc.integer(),
  fc.maxSafeInteger(),
  text,
  fc.constantFrom(null, true, false, '\u0000', '', -0),
)
const id = fc.oneof(
  number,
  fc.maxSafeInteger(),
  text.filter((id) => !id.includes('\u0000')),
)

function keyOf(...values: readonly unknown[]): Buffer {
  const key = KeyBuffer.allocate()
  for (const each of values) key.value(each)
  return key.copy()
}

describe('Keys of the embedded read models', () => {
  it('are in the order of the values they are made of, the first one first', () => {
    const row = fc.tuple(value, value, value)
    fc.assert(
      fc.property(row, row, fc.nat(3), (a, other, alike) => {
        const b = other.map((each, n) => (n < alike ? a[n] : each))
        const expected = a.map((each, n) => compare(each, b[n])).find((compared) => compared !== 0) ?? 0
        expect(Math.sign(Buffer.compare(keyOf(...a), keyOf(...b)))).to.equal(Math.sign(expected))
      }),
      { numRuns: 2000 },
    )
  })

  it('give back the id behind any values', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), id, (values, id) => {
        const key = KeyBuffer.allocate()
        for (const each of values) key.value(each)
        key.id(id)
        let at = 0
        for (const _ of values) at = endOfValue(key.copy(), at)
        expect(readId(key.copy(), at)).to.equal(id === 0 ? 0 : id)
      }),
      { numRuns: 1000 },
    )
  })

  it('put structures behind texts, and cut what is long', () => {
    const keys = [null, -1, 'x'.repeat(10_000), { a: 1 }, false, true].map((each) => keyOf(each))
    expect(keys.toSorted(Buffer.compare)).to.deep.equal(keys)
    for (const long of ['x'.repeat(10_000), 'é'.repeat(10_000), '\u0000'.repeat(10_000), { a: 'x'.repeat(10_000) }]) {
      expect(keyOf(long).length).to.be.lessThan(210)
    }
  })
})
