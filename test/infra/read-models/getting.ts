import { expect } from 'chai'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { contacts, live, type Setting } from './setting.ts'

/** Tests of documents read by id. */
export function getting(setting: Setting): void {
  it('gives a document by its id, and nothing for an unknown one', async () => {
    const [first, second] = contacts({ name: 'Ada' }, { name: 'Grace' })
    const models = await live(setting().store, [first!, second!])
    expect(await models.get('contacts', 2)).to.deep.equal(second)
    expect(await models.get('contacts', 3)).to.equal(undefined)
    expect(await models.get('contacts', '2')).to.equal(undefined)
    expect(await models.get('notes', 2)).to.equal(undefined)
  })

  it('gives many in the order asked for, with nothing for unknown ones', async () => {
    const [first, second, third] = contacts({ name: 'a' }, { name: 'b' }, { name: 'c' })
    const models = await live(setting().store, [first!, second!, third!])
    expect(await models.getMany('contacts', [3, 9, 1, 'x', 3])).to.deep.equal([
      third,
      undefined,
      first,
      undefined,
      third,
    ])
    expect(await models.getMany('contacts', [])).to.deep.equal([])
  })

  it('returns any JSON as it was stored', async () => {
    const documents: Document[] = [
      { id: 1, null: null, yes: true, no: false, zero: 0, negative: -1.5, tiny: 5e-324, huge: 2 ** 53 - 1 },
      { id: 2, empty: '', text: 'Zoë \u{1F600} \u0000 \n"', long: 'x'.repeat(100_000) },
      {
        id: 3,
        list: [1, 'two', null, [], {}, [{ deep: [true] }]],
        object: { a: { b: { c: [] } }, '': 1, 'x y': null },
      },
      { id: 4, no_field_in_common: { with: 'the others' } },
      { id: -5 },
      { id: 0.25, fraction: true },
      { id: 'text', words: true },
      { id: 'Zoë:\u{1F600}/x.y', words: 'more' },
      { id: 700_123_456_789_012, words: 'a long id' },
    ]
    const models = await live(setting().store, documents, 'notes')
    const ids = documents.map((document) => document.id)
    expect(await models.getMany('notes', ids)).to.deep.equal(documents)
    const everything = await models.find('notes', { where: {} })
    expect(everything.map((document) => document.id)).to.deep.equal([
      ...[-5, 0.25, 1, 2, 3, 4, 700_123_456_789_012],
      ...['Zoë:\u{1F600}/x.y', 'text'],
    ])
    for (const document of everything) expect(document).to.deep.equal(documents[ids.indexOf(document.id)])
  })
}
