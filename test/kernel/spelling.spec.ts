import { expect } from 'chai'
import fc from 'fast-check'
import Sqids from 'sqids'
import { sqidsSpelling } from '../../domain/kernel/values/sqids-spelling.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

describe('the quick spelling of ids', () => {
  it('is that of Sqids, where that adds nothing', () => {
    const alphabet = fc.shuffledSubarray(LETTERS.split(''), { minLength: LETTERS.length })
    const id = fc.oneof(fc.nat(100), fc.nat(1_000_000), fc.maxSafeNat())
    fc.assert(
      fc.property(alphabet, fc.nat(2500), fc.array(id, { minLength: 1, maxLength: 20 }), (letters, second, ids) => {
        const minLength = 6
        const sqids = new Sqids({ alphabet: letters.join(''), minLength, blocklist: new Set() })
        const { encode, decode } = sqidsSpelling(letters.join(''), second, minLength)
        for (const each of ids) {
          const text = encode(each)
          if (text !== undefined) expect(text).to.equal(sqids.encode([each, second]))
          else expect(each).to.be.lessThan(3000)
          expect(decode(sqids.encode([each, second]))).to.equal(each)
        }
      }),
    )
  })
})
