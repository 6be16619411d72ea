import { expect } from 'chai'
import fc from 'fast-check'
import { failureId, failureKey, firstLine, withoutAddresses } from '../../domain/kernel/react/failure.ts'

describe('the id of a failure', () => {
  it('contains lane and position, for any name of the lane', () => {
    expect(failureId({ lane: 'contacts/untag:contact-12', position: 431 })).to.equal('contacts/untag:contact-12@431')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.maxSafeNat(), (lane, position) => {
        const id = failureId({ lane, position })
        expect(id).to.match(/^[\x21-\x7e]+$/)
        expect(failureKey(id)).to.deep.equal({ lane, position })
      }),
    )
  })

  it('has one spelling only', () => {
    const odd = [
      '',
      '@1',
      'a@',
      'a@01',
      'a@1.5',
      'a@-1',
      'a@b@1',
      'a b@1',
      '%61@1',
      '%@1',
      '%zz@1',
      'a@9007199254740993',
    ]
    expect(odd.filter((text) => failureKey(text) !== undefined)).to.deep.equal([])
  })
})

describe('the first line of an error', () => {
  it('is all that is shown of it, within a limit', () => {
    expect(firstLine('Error: no room\r\nfor ada@example.com')).to.equal('Error: no room')
    expect(firstLine('\n  Error: later')).to.equal('Error: later')
    expect(firstLine('')).to.equal('')
    expect(firstLine('\u001b[31mred\u0007')).to.equal(' [31mred ')
    expect(firstLine('x'.repeat(200))).to.equal('x'.repeat(200))
    expect(firstLine('x'.repeat(1000))).to.equal(`${'x'.repeat(199)}…`)
    expect(firstLine('𝄞'.repeat(1000))).to.equal(`${'𝄞'.repeat(199)}…`)
  })
})

describe('the stored text of an error', () => {
  it('has no addresses', () => {
    for (const [text, kept] of [
      ["E11000 { _id: 'Ada.L+x@example.com' }, twice", "E11000 { _id: '[address]' }, twice"],
      ['<grace@example.com>: ünï@bücher.example', '<[address]>: [address]'],
      ['at run (/srv/node_modules/@scope/pkg/index.js:1:2)', 'at run (/srv/node_modules/@scope/pkg/index.js:1:2)'],
      ['nothing', 'nothing'],
    ] as const)
      expect(withoutAddresses(text)).to.equal(kept)
  })
})
