import path from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { compare, type Encoded, elementsOf, encode } from '../../../../infra/read-models/sqlite/encoding.ts'
import { openSqliteReadModels, type SqliteReadModels } from '../../../../infra/read-models/sqlite/store.ts'
import { connect } from '../../../../infra/sqlite/binding.ts'
import { temporaryDirectory } from '../../temporary-directory.ts'
import { compare as compareValues } from '../naive.ts'
import { changes, collections, contacts, ids, live } from '../setting.ts'

/** The binding reads numbers between 0 and this as 0. */
const LEAST = Number.EPSILON
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n > 0 && n < LEAST ? 0 : n))
const special = fc.constantFrom(
  null,
  true,
  false,
  '\u0000',
  '\u0001',
  '\u0002',
  '\u0001\u0001',
  '\u0000a',
  'a\u0000',
  'a',
  '',
  -0,
)
const text = fc.string({ unit: 'grapheme', maxLength: 6 })
const control = fc.string({ unit: fc.constantFrom('\u0000', '\u0001', '\u0002', 'a'), maxLength: 4 })
const value = fc.oneof(number, fc.integer(), fc.maxSafeInteger(), text, control, special)

describe('Columns of the SQLite read models', () => {
  it('are in the order of the values they stand for, here and in SQLite', () => {
    const db = connect(':memory:')
    db.exec('CREATE TABLE t (a NOT NULL)')
    const insert = db.prepare('INSERT INTO t VALUES (?)')
    const sorted = db.prepare('SELECT a FROM t ORDER BY a')
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 10 }), (values) => {
        const [a, b] = values as [unknown, unknown]
        expect(Math.sign(compare(encode(a), encode(b)))).to.equal(Math.sign(compareValues(a, b)))
        db.exec('DELETE FROM t')
        for (const each of values) insert.run(encode(each))
        const rows: { a: Encoded }[] = sorted.all()
        const expected = values.map(encode).sort(compare)
        for (const [n, row] of rows.entries()) expect(compare(row.a, expected[n]!)).to.equal(0)
      }),
      { numRuns: 1000 },
    )
  })

  it('tell structures, arrays and their elements', () => {
    const columns = [null, -1, 'x'.repeat(10_000), { a: 1 }, false, true].map(encode)
    expect(columns.toSorted(compare)).to.deep.equal(columns)
    expect(elementsOf(encode([1, 'a\u0000', 1, null, undefined, [2]]))).to.deep.equal(
      [1, 'a\u0000', null, [2]].map(encode),
    )
    for (const each of [{ 0: 1 }, '[1]', null, true]) expect(elementsOf(encode(each))).to.equal(undefined)
    expect([Number.NaN, Number.POSITIVE_INFINITY].map(encode)).to.deep.equal([encode(null), encode(null)])
  })
})

describe('The SQLite read models and texts that SQLite cannot hold', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let store: SqliteReadModels
  beforeEach(async () => {
    directory = temporaryDirectory()
    store = await openSqliteReadModels(path.join(directory.path, 'views.db'), collections)
  })
  afterEach(async () => {
    await store.close()
    directory.remove()
  })

  it('distinguish texts that differ in a NUL or in half a character', async () => {
    const texts = [
      'a',
      'a\u0000',
      'a\u0000b',
      'a\u0001',
      'a\ud800',
      'a\udc00',
      'a\ufffd',
      '\ud800\u0000',
      '\udc00\u0000',
    ]
    const models = await live(
      store,
      contacts(...texts.map((text) => ({ kind: text, name: text, tags: [text], score: text }))),
    )
    for (const [n, text] of texts.entries()) {
      expect(await ids(models, { where: { workspace: 1, kind: text } })).to.deep.equal([n + 1])
      expect(await ids(models, { where: { workspace: 1, tags: text } })).to.deep.equal([n + 1])
      expect(await ids(models, { where: { workspace: 1, score: text }, sort: { by: 'score' } })).to.deep.equal([n + 1])
      expect(models.get('contacts', n + 1)).to.deep.include({ kind: text, tags: [text] })
    }
    expect((await ids(models, { where: { workspace: 1 }, sort: { by: 'score' } })).slice(0, 4)).to.deep.equal([
      1, 2, 3, 4,
    ])
  })

  it('hold documents under such ids', async () => {
    const texts = ['a\ud800', 'a\udc00', 'a\ufffd', 'a\u0001', 'a\u0001\u0001']
    const documents = texts.map((id) => ({ id, workspace: 1, name: id }))
    const models = await live(store, documents)
    for (const [n, id] of texts.entries()) expect(models.get('contacts', id)).to.deep.equal(documents[n])
    expect((await ids(models, { where: {} })).sort()).to.deep.equal(texts.toSorted())
    await models.apply([{ collection: 'contacts', id: 'a\udc00', document: null, position: 50 }], 50)
    expect(await ids(models, { where: { workspace: 1 } })).to.have.length(4)
    const paged = await ids(models, { where: { workspace: 1 }, after: 'a\u0001\u0001', limit: 1 })
    expect(paged).to.have.length(1)
    await models.apply(changes('contacts', [{ id: 'a\ud800', workspace: 2 }], 51), 51)
    expect(await ids(models, { where: { workspace: 2 } })).to.deep.equal(['a\ud800'])
  })
})
