import { expect } from 'chai'
import type { Condition, Document, Where } from '../../../domain/kernel/ports/read-models.ts'
import { contacts, ids, inWorkspace, live, type Setting, thrown } from './setting.ts'

/** Tests of the documents that a query finds. */
export function finding(setting: Setting): void {
  const found = async (documents: readonly Document[], where: Where, collection?: string) => {
    const models = await live(setting().store, documents, collection)
    expect(await models.count(collection ?? 'contacts', where)).to.equal(
      (await ids(models, { where }, collection)).length,
    )
    return ids(models, { where }, collection)
  }

  it('finds by equality, and by several values, each document once', async () => {
    const documents: Document[] = [
      ...contacts({ kind: 'a' }, { kind: 'b' }, { kind: 'c' }, { kind: 'a' }),
      { id: 5, workspace: 2, kind: 'a' },
    ]
    const models = await live(setting().store, documents)
    const by = (where: Where) => ids(models, { where })
    expect(await by({ workspace: 1, kind: 'a' })).to.deep.equal([1, 4])
    expect(await by({ workspace: 1, kind: { $in: ['c', 'a', 'c', 'x'] } })).to.deep.equal([1, 3, 4])
    expect(await by({ workspace: { $in: [1, 2] }, kind: { $in: ['a', 'c'] } })).to.deep.equal([1, 3, 4, 5])
    expect(await by({ workspace: 1, kind: { $in: [] } })).to.deep.equal([])
    expect(await by({ workspace: 1, kind: 'ab' })).to.deep.equal([])
    expect(await by({ workspace: '1', kind: 'a' })).to.deep.equal([])
  })

  it('finds a field that holds an array by each of its elements', async () => {
    const documents = contacts({ tags: [7, 8] }, { tags: [8, 8, 9] }, { tags: 8 }, { tags: [] }, {})
    const models = await live(setting().store, documents)
    const by = (tags: Condition) => ids(models, { where: { workspace: 1, tags } })
    expect(await by(8)).to.deep.equal([1, 2, 3])
    expect(await by({ $in: [7, 8, 9] })).to.deep.equal([1, 2, 3])
    expect(await by({ $in: [9, 7] })).to.deep.equal([1, 2])
    expect(await models.count('contacts', { workspace: 1, tags: { $in: [7, 8, 9] } })).to.equal(3)
    expect(await models.count('contacts', { workspace: 1, tags: { $in: [7, 8, 9] } }, 2)).to.equal(2)
  })

  it('treats missing as null', async () => {
    const documents = contacts(
      { kind: null },
      {},
      { kind: 0 },
      { kind: '' },
      { kind: false },
      { kind: [null, 1] },
      { kind: [] },
    )
    expect(await found(documents, { workspace: 1, kind: null })).to.deep.equal([1, 2, 6])
    expect(await found(documents, { workspace: 1, kind: { $in: ['', null] } })).to.deep.equal([1, 2, 4, 6])
  })

  it('distinguishes types', async () => {
    const documents = contacts({ kind: 1 }, { kind: '1' }, { kind: true }, { kind: 0 }, { kind: false }, { kind: '' })
    expect(await found(documents, { workspace: 1, kind: 1 })).to.deep.equal([1])
    expect(await found(documents, { workspace: 1, kind: false })).to.deep.equal([5])
    expect(await found(documents, { workspace: 1, kind: { $in: ['1', true, 0] } })).to.deep.equal([2, 3, 4])
  })

  it('reaches into objects, and into objects in arrays', async () => {
    const documents = contacts(
      { address: { country: 'de' } },
      { address: { country: 'fr' }, orders: [{ sku: 'x' }, { sku: 'y' }] },
      { orders: [{ sku: 'y' }] },
      { address: 'de', orders: { sku: 'x' } },
    )
    const models = await live(setting().store, documents)
    expect(await ids(models, { where: { 'address.country': 'de' } })).to.deep.equal([1])
    expect(await ids(models, { where: { 'orders.sku': 'y' } })).to.deep.equal([2, 3])
    expect(await ids(models, { where: { 'orders.sku': 'x' } })).to.deep.equal([2, 4])
    expect(await ids(models, { where: { ...inWorkspace, 'address.country': { $in: ['fr', 'it'] } } })).to.deep.equal([
      2,
    ])
    expect(await ids(models, { where: { ...inWorkspace, 'address.city': { $exists: false } } })).to.have.length(4)
  })

  it('narrows by what the index sorts by, within one type', async () => {
    const scores = [5, -3, 10, 7.5, '7', null, true, 0]
    const models = await live(setting().store, contacts(...scores.map((score) => ({ score }))))
    const by = (score: Condition) => ids(models, { where: { workspace: 1, score }, sort: { by: 'score' } })
    expect(await by({ $gt: 5 })).to.deep.equal([4, 3])
    expect(await by({ $gte: 5, $lt: 10 })).to.deep.equal([1, 4])
    expect(await by({ $lte: 0 })).to.deep.equal([2, 8])
    expect(await by({ $lt: 0 })).to.deep.equal([2])
    expect(await by({ $gt: 10 })).to.deep.equal([])
    expect(await by({ $gt: 8, $lt: 2 })).to.deep.equal([])
    expect(await by({ $gte: '' })).to.deep.equal([5])
    expect(await by({ $gte: false })).to.deep.equal([7])
    expect(await by(null)).to.deep.equal([6])
    expect(await by({ $in: [10, 5, 'x'] })).to.deep.equal([1, 3])
    expect(await by({ $gte: 0, $ne: 7.5 })).to.deep.equal([8, 1, 3])
  })

  const EXTRA: readonly (readonly [Condition, readonly number[]])[] = [
    [3, [1, 7]],
    [null, [5, 6]],
    [{ $in: [3, 'a'] }, [1, 3, 7]],
    [{ $in: [null, true] }, [4, 5, 6]],
    [{ $nin: [3, null] }, [2, 3, 4, 8]],
    [{ $ne: 3 }, [2, 3, 4, 5, 6, 8]],
    [{ $ne: null }, [1, 2, 3, 4, 7, 8]],
    [{ $gt: 3 }, [2, 7]],
    [{ $gte: 3 }, [1, 2, 7]],
    [{ $lt: 4 }, [1, 7]],
    [{ $lte: 4 }, [1, 2, 7]],
    [{ $gt: 3, $lt: 5 }, [2, 7]],
    [{ $gte: 'a' }, [3]],
    [{ $exists: true }, [1, 2, 3, 4, 5, 7, 8]],
    [{ $exists: false }, [6]],
    [{ $exists: true, $ne: 3, $nin: ['a'] }, [2, 4, 5, 8]],
  ]
  const extras = contacts(
    ...[
      { extra: 3 },
      { extra: 4 },
      { extra: 'a' },
      { extra: true },
      { extra: null },
      {},
      { extra: [3, 9] },
      { extra: [] },
    ],
  )
  for (const [condition, expected] of EXTRA) {
    it(`asks documents what no index knows: ${JSON.stringify(condition)}`, async () => {
      expect(await found(extras, { workspace: 1, extra: condition })).to.deep.equal(expected)
    })
  }

  it('finds among given ids by any condition and in any order', async () => {
    const models = await live(
      setting().store,
      contacts({ name: 'c', n: 1 }, { name: 'a', n: 2 }, { name: 'b', n: 3 }, { name: 'a', n: 4 }),
    )
    const among = { id: { $in: [4, 1, 2, 2, 9, 'x'] } }
    expect(await ids(models, { where: among })).to.deep.equal([1, 2, 4])
    expect(await ids(models, { where: { ...among, n: { $gte: 2 } } })).to.deep.equal([2, 4])
    expect(await ids(models, { where: among, sort: { by: 'name', descending: true } })).to.deep.equal([1, 4, 2])
    expect(
      await ids(models, { where: among, sort: { by: 'name' }, after: { id: 2, value: 'a' }, limit: 1 }),
    ).to.deep.equal([4])
    expect(await ids(models, { where: among, after: 1 })).to.deep.equal([2, 4])
    expect(await ids(models, { where: { id: 3, workspace: 1 } })).to.deep.equal([3])
    expect(await ids(models, { where: { id: 3, workspace: 2 } })).to.deep.equal([])
    expect(await models.count('contacts', { ...among, name: 'a' })).to.equal(2)
    expect(await models.count('contacts', among, 1)).to.equal(1)
  })

  it('narrows by the id', async () => {
    const models = await live(setting().store, contacts({ kind: 'a' }, { kind: 'b' }, { kind: 'a' }, { kind: 'a' }))
    expect(await ids(models, { where: { workspace: 1, kind: 'a', id: { $gt: 1, $lte: 3 } } })).to.deep.equal([3])
    expect(await ids(models, { where: { id: { $gte: 3 } } })).to.deep.equal([3, 4])
    expect(await models.count('contacts', { id: { $lt: 3 } })).to.equal(2)
  })

  it('distinguishes long texts', async () => {
    const long = 'x'.repeat(3000)
    const documents = contacts({ kind: `${long}a` }, { kind: `${long}b` }, { kind: long }, { kind: 'x' })
    expect(await found(documents, { workspace: 1, kind: `${long}b` })).to.deep.equal([2])
    expect(await found(documents, { workspace: 1, kind: { $in: [long, 'x'] } })).to.deep.equal([3, 4])
  })

  it('finds nothing in an empty collection', async () => {
    const models = await live(setting().store, [])
    expect(await ids(models, { where: inWorkspace })).to.deep.equal([])
    expect(await ids(models, { where: {} })).to.deep.equal([])
    expect(await models.count('contacts', {})).to.equal(0)
  })

  it('counts no further than asked', async () => {
    const models = await live(setting().store, contacts({}, {}, {}, {}, {}))
    expect(await models.count('contacts', inWorkspace)).to.equal(5)
    for (const atMost of [0, 1, 4, 5, 6]) {
      expect(await models.count('contacts', inWorkspace, atMost)).to.equal(Math.min(atMost, 5))
      expect(await models.count('contacts', { ...inWorkspace, name: null }, atMost)).to.equal(Math.min(atMost, 5))
    }
    expect(await models.count('contacts', {})).to.equal(5)
  })

  it('refuses what no index serves, naming the collection and the query', async () => {
    const models = await live(setting().store, contacts({ kind: 'a' }))
    const error = await thrown(() => models.find('contacts', { where: { nickname: 'x' } }))
    expect(error.message).to.include('no index serves').and.include('contacts').and.include('nickname')
    for (const refused of [
      () => models.find('contacts', { where: { kind: 'a' } }),
      () => models.find('contacts', { where: { workspace: { $gt: 0 } } }),
      () => models.find('contacts', { where: { workspace: { $ne: 1 } } }),
      () => models.find('contacts', { where: inWorkspace, sort: { by: 'nickname' } }),
      () => models.find('contacts', { where: {}, sort: { by: 'score' } }),
      () => models.find('notes', { where: { text: 'x' } }),
      () => models.count('contacts', { kind: 'a' }),
    ]) {
      expect((await thrown(refused)).message).to.include('no index serves')
    }
  })
}
