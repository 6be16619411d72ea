import { expect } from 'chai'
import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import { changes, contacts, ids, inWorkspace, live, removal, type Setting, thrown, walk } from './setting.ts'

/** Tests of the order of documents, and of pages. */
export function ordering(setting: Setting): void {
  const VALUES = [
    null,
    undefined,
    -7,
    -0.5,
    0,
    2,
    10,
    1e300,
    '',
    '10',
    '2',
    'Z',
    'a',
    'a\u0000',
    'a\u0000b',
    'ab',
    'é',
    '\u{1F600}',
    false,
    true,
  ]

  it('sorts by value, types apart, with the id to decide between equals', async () => {
    const shuffled = [...VALUES, ...VALUES]
      .map((score, n) => ({ score, key: (n * 17) % 40 }))
      .sort((a, b) => a.key - b.key)
    const documents = contacts(...shuffled.map(({ score }) => (score === undefined ? {} : { score })))
    const models = await live(setting().store, documents)
    const sorted = await models.find('contacts', { where: inWorkspace, sort: { by: 'score' } })
    const values = sorted.map((document) => document.score ?? null)
    expect(values).to.deep.equal(VALUES.flatMap((value) => [value ?? null, value ?? null]))
    const pairs = sorted.slice(1).map((document, n) => [sorted[n]!, document] as const)
    const equals = pairs.filter(([a, b]) => (a.score ?? null) === (b.score ?? null))
    expect(equals.every(([a, b]) => a.id < b.id)).to.equal(true)
    const descending = await models.find('contacts', { where: inWorkspace, sort: { by: 'score', descending: true } })
    expect(descending).to.deep.equal(sorted.toReversed())
  })

  it('sorts by id unless told otherwise, numbers before words', async () => {
    const documents: Document[] = [10, 9, 'b', -1, 'a', 0.5].map((id) => ({ id, workspace: 1 }))
    const models = await live(setting().store, documents)
    const ascending = [-1, 0.5, 9, 10, 'a', 'b']
    expect(await ids(models, { where: inWorkspace })).to.deep.equal(ascending)
    expect(await ids(models, { where: {} })).to.deep.equal(ascending)
    const sort = { by: 'id', descending: true }
    expect(await ids(models, { where: inWorkspace, sort })).to.deep.equal(ascending.toReversed())
    expect(await ids(models, { where: {}, sort })).to.deep.equal(ascending.toReversed())
  })

  it('sorts everything by an index without fields', async () => {
    const models = await live(
      setting().store,
      [3, 1, 2].map((due, n) => ({ id: `timer-${n}`, due })),
      'timers',
    )
    const query: Query = { where: { due: { $lte: 2 } }, sort: { by: 'due' } }
    expect(await ids(models, query, 'timers')).to.deep.equal(['timer-1', 'timer-2'])
    expect(await ids(models, { where: {}, sort: { by: 'due' }, limit: 1 }, 'timers')).to.deep.equal(['timer-1'])
  })

  it('merges the orders of several values', async () => {
    const documents = contacts(
      ...[5, 3, 4, 1, 2, 3].map((n, at) => ({ score: n, name: `n${n}`, kind: 'abc'[at % 3]!, tags: [at % 2, 2] })),
    )
    const models = await live(setting().store, documents)
    const kinds = { workspace: 1, kind: { $in: ['c', 'a', 'b'] } }
    expect(await ids(models, { where: kinds })).to.deep.equal([1, 2, 3, 4, 5, 6])
    expect(await ids(models, { where: kinds, sort: { by: 'name' } })).to.deep.equal([4, 5, 2, 6, 3, 1])
    const tags: Query = { where: { workspace: 1, tags: { $in: [0, 1, 2] } }, sort: { by: 'score', descending: true } }
    expect(await ids(models, tags)).to.deep.equal([1, 3, 6, 2, 5, 4])
    expect(await ids(models, { ...tags, after: { id: 6, value: 3 }, limit: 2 })).to.deep.equal([2, 5])
  })

  const QUERIES: readonly (readonly [string, Query])[] = [
    ['by id', { where: inWorkspace }],
    ['by id, descending', { where: inWorkspace, sort: { by: 'id', descending: true } }],
    ['by a field', { where: inWorkspace, sort: { by: 'score' } }],
    ['by a field, descending', { where: inWorkspace, sort: { by: 'score', descending: true } }],
    ['without an index', { where: {} }],
    ['of several values', { where: { workspace: 1, kind: { $in: ['a', 'b'] } }, sort: { by: 'name' } }],
    ['over an array', { where: { workspace: 1, tags: { $in: [1, 2] } }, sort: { by: 'score' } }],
    ['within a range', { where: { workspace: 1, score: { $gte: 1 } }, sort: { by: 'score', descending: true } }],
    ['with a condition that no index knows', { where: { workspace: 1, odd: true } }],
  ]
  const many = contacts(
    ...Array.from({ length: 23 }, (_, n) => ({
      score: n % 4 || null,
      kind: 'ab'[n % 2]!,
      name: `n${n % 5}`,
      tags: [n % 3, 1],
      odd: n % 2 === 1,
    })),
  )
  for (const [name, query] of QUERIES) {
    it(`walks in pages ${name}, meeting each document once`, async () => {
      const models = await live(setting().store, many)
      const all = await ids(models, query)
      expect(all.length).to.be.greaterThan(10)
      for (const size of [1, 2, 5, 11, all.length, 100]) expect(await walk(models, query, size)).to.deep.equal(all)
      expect(await ids(models, { ...query, limit: 0 })).to.deep.equal([])
    })

    it(`meets the documents that existed at the start once while others are added, ${name}`, async () => {
      const models = await live(setting().store, many)
      const before = await ids(models, query)
      let next = 100
      const met = await walk(models, query, 3, async () => {
        if (next > 112) return
        const added = [next, -next].map((id) => ({ ...many[id & 7]!, id }))
        await models.apply(changes('contacts', added, next * 10), next++ * 10)
      })
      expect(new Set(met).size).to.equal(met.length)
      expect(met.filter((id) => before.includes(id))).to.deep.equal(before)
    })
  }

  it('goes on behind the place of a document that is gone or was never there', async () => {
    const models = await live(setting().store, contacts({ score: 1 }, { score: 2 }, { score: 3 }))
    await models.apply([removal('contacts', 2, 10)], 10)
    expect(await ids(models, { where: inWorkspace, after: 2 })).to.deep.equal([3])
    expect(await ids(models, { where: inWorkspace, after: 2, sort: { by: 'id', descending: true } })).to.deep.equal([1])
    const sort = { by: 'score' }
    expect(await ids(models, { where: inWorkspace, after: { id: 2, value: 2 }, sort })).to.deep.equal([3])
    expect(await ids(models, { where: inWorkspace, after: { id: 7, value: 0 }, sort })).to.deep.equal([1, 3])
    expect(await ids(models, { where: inWorkspace, after: { id: 1, value: 'x' }, sort })).to.deep.equal([])
    const descending = { ...sort, descending: true }
    expect(await ids(models, { where: inWorkspace, after: { id: 2, value: 2 }, sort: descending })).to.deep.equal([1])
    expect(await ids(models, { where: {}, after: 'never there' })).to.deep.equal([])
  })

  it('takes an id alone for a place only in an order by id', async () => {
    const models = await live(setting().store, contacts({ score: 1 }, { score: 2 }))
    for (const where of [inWorkspace, { id: { $in: [1, 2] } }]) {
      const error = await thrown(() => models.find('contacts', { where, sort: { by: 'score' }, after: 1 }))
      expect(error.message).to.include('no place in an order by score')
    }
  })

  it('goes on behind a document that the query itself does not find', async () => {
    const models = await live(
      setting().store,
      contacts({ score: 2, kind: 'a' }, { score: 1, kind: 'b' }, { score: 3, kind: 'a' }),
    )
    const query: Query = { where: { workspace: 1, kind: 'a' }, after: 2 }
    expect(await ids(models, query)).to.deep.equal([3])
    const after = { id: 2, value: 1 }
    const sorted: Query = { where: { workspace: 1, score: { $gt: 1 } }, sort: { by: 'score' }, after }
    expect(await ids(models, sorted)).to.deep.equal([1, 3])
  })
}
