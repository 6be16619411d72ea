import { expect } from 'chai'
import fc from 'fast-check'
import { idMinter, mintedAt } from '../../domain/kernel/values/ids.ts'
import { publicIds } from '../../domain/kernel/values/public-ids.ts'

const kinds = publicIds((kind) =>
  Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 11 + kind.length * 83) % 256),
)
const codec = kinds.of('contact')

describe('ids', () => {
  it('ascend and never repeat, also when the clock jumps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 3 }), { minLength: 1, maxLength: 2000 }), (steps) => {
        let now = Date.UTC(2026, 0, 1)
        const mint = idMinter(
          () => 3,
          () => now,
        )
        let last = -1
        for (const step of steps) {
          now += step
          const id = mint()
          expect(id).to.be.greaterThan(last)
          expect(Number.isSafeInteger(id)).to.equal(true)
          last = id
        }
      }),
      { numRuns: 50 },
    )
  })

  it('of different nodes never collide, and contain the time of minting', () => {
    const now = Date.UTC(2026, 5, 1)
    const one = idMinter(
      () => 0,
      () => now,
    )
    const other = idMinter(
      () => 1,
      () => now,
    )
    const ids = new Set(Array.from({ length: 5000 }, () => [one(), other()]).flat())
    expect(ids.size).to.equal(10_000)
    expect(
      mintedAt(
        idMinter(
          () => 31,
          () => now,
        )(),
      ),
    ).to.equal(now)
    expect(() => idMinter(() => 32, Date.now)()).to.throw('node must be 0 to 31')
  })

  it('convert to public ids and back, in only one spelling', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (id) => {
        const text = codec.encode(id)
        expect(text).to.match(/^[A-Za-z]{6,16}$/)
        expect(codec.decode(text)).to.equal(id)
        expect(codec.parse(text)).to.equal(id)
        expect(codec.parse(String(id))).to.equal(id)
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{6,12}$/), (text) => {
        const id = codec.decode(text)
        if (id !== undefined) expect(codec.encode(id)).to.equal(text)
      }),
    )
  })

  it('reads nothing else as an id', () => {
    for (const value of [
      null,
      undefined,
      {},
      [],
      '',
      ' ',
      '-1',
      '1.5',
      1.5,
      -1,
      '99999999999999999999',
      'a b',
      'abc\u0000def',
      '../x',
    ]) {
      expect(codec.parse(value), JSON.stringify(value)).to.equal(undefined)
    }
  })
})
