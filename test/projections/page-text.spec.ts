import { expect } from 'chai'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Fragment } from '../../projections/fragments.ts'
import { pageOf, parseInTurns } from '../../projections/page-text.ts'

const fragment = (id: number, length: number): Fragment => ({
  frame: { id } as Document,
  text: JSON.stringify({ id, name: '界'.repeat(length) }),
  cuts: [],
  sources: [],
})

describe('the text of a page', () => {
  for (const envelope of [undefined, 'items'])
    it(`is read as it was written, in one part or many, ${envelope === undefined ? 'bare' : 'in an envelope'}`, async () => {
      for (const [count, length] of [
        [0, 0],
        [1, 10],
        [3, 10],
        [1, 1_100_000],
        [3, 600_000],
      ] as const) {
        const records = Array.from({ length: count }, (_, id) => fragment(id, length))
        const { text } = await pageOf(records, false, envelope)
        const expected = records.map((one) => JSON.parse(one.text))
        expect(Array.isArray(text), `${count} of ${length}`).to.equal(length > 500_000)
        expect(await parseInTurns(text)).to.deep.equal(envelope === undefined ? expected : { items: expected })
      }
    })
})
