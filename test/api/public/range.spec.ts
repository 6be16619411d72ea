import { expect } from 'chai'
import { rangeIn, within } from '../../../api/public/range.ts'

const pieces = async function* () {
  yield* ['012', '34', '', '56789']
}

describe('parts of a file', () => {
  for (const [header, expected] of [
    ['bytes=0-', '0123456789'],
    ['bytes=0-0', '0'],
    ['bytes=2-5', '2345'],
    ['bytes=3-4', '34'],
    ['bytes=7-99', '789'],
    ['bytes=-3', '789'],
    ['bytes=-99', '0123456789'],
    ['bytes=10-', 'none'],
    ['bytes=-0', 'none'],
    ['', undefined],
    ['bytes=-', undefined],
    ['bytes=5-2', undefined],
    ['bytes=0-1,4-5', undefined],
    ['items=0-1', undefined],
  ] as const)
    it(`${header}: ${expected}`, async () => {
      const range = rangeIn(header, 10)
      if (range === undefined || range === 'none') return expect(range).to.equal(expected)
      let text = ''
      for await (const bytes of within(pieces(), range)) text += Buffer.from(bytes).toString()
      expect(text).to.equal(expected)
      return expect(range.last - range.first + 1).to.equal(text.length)
    })
})
