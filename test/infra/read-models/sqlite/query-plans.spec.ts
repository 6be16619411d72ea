import path from 'node:path'
import { expect } from 'chai'
import { resources, tallies } from '../../../../domain/index.ts'
import type { Document, Index, Query, Where } from '../../../../domain/kernel/ports/read-models.ts'
import type { ListOperation } from '../../../../domain/resources/operation.ts'
import type { Resource } from '../../../../domain/resources/resource.ts'
import { openSqliteReadModels, type SqliteReadModels } from '../../../../infra/read-models/sqlite/store.ts'
import { collectionsOf } from '../../../../projections/collections.ts'
import { temporaryDirectory } from '../../temporary-directory.ts'
import { builtFrom, collections as tested } from '../setting.ts'

const collections = [...collectionsOf(resources, tallies), ...tested]

/** Queries in both directions of these orders, from the beginning and after a document. */
const ordered = (where: Where, sorts: readonly string[]): Query[] =>
  sorts.flatMap((by) =>
    [false, true].flatMap((descending) => {
      const query = { where, sort: { by, descending }, limit: 20 }
      return [query, { ...query, after: { id: 1, value: 1 } }]
    }),
  )

const equalTo = (fields: readonly string[], condition: Where[string] = 1): Where =>
  Object.fromEntries(fields.map((field) => [field, condition]))

/** Queries that an index is declared for. */
const queriesOf = ({ fields, sort = 'id' }: Index): Query[] => {
  const where = equalTo(fields)
  const several = fields.length > 0 ? { ...where, [fields.at(-1)!]: { $in: [1, 2, 'x', null] } } : where
  const ranges = [{ $gt: 1 }, { $gte: 'a', $lt: 'b' }, { $lte: 5 }, { $gt: 1, $lte: 9 }, { $gte: false }]
  return [
    ...ordered(where, [sort]),
    ...ordered(several, [sort]),
    ...ranges.flatMap((range) => ordered({ ...where, [sort]: range }, [sort])),
    ...(sort === 'id' ? [] : ordered({ ...where, [sort]: { $in: [1, 2] } }, [sort, 'id'])),
  ]
}

/** Queries that clients can send to a list: each filter alone and all together, in each offered order. */
const asked = (resource: Resource, operation: ListOperation): Query[] => {
  const owned = operation.path.includes(`{${resource.under.param}}`)
  const base: Where = { ...(owned && { [resource.under.field]: 1 }), ...operation.where }
  if (Object.keys(base).length === 0) return []
  const fields = Object.values(operation.filters).flatMap(({ field }) => (field === 'id' ? [] : [field]))
  const wheres = fields.flatMap((field) => [1, { $in: [1, 2] }].map((condition) => ({ ...base, [field]: condition })))
  return [
    ...ordered(base, ['id', ...operation.sorts]),
    ...wheres.flatMap((where) => ordered(where, ['id'])),
    ...ordered({ ...base, ...equalTo(fields) }, ['id', ...operation.sorts]),
    // Walks look for what has changed since they began.
    ...(operation.sorts.some((sort) => sort !== 'id')
      ? [base, ...wheres].flatMap((where) => ordered({ ...where, updated_at: { $gte: '2026' } }, ['updated_at']))
      : []),
  ]
}

/** A document with this value in every field that an index of its collection names. */
const documentWith = (id: number, indexes: readonly Index[], value: unknown): Document => {
  const document: { [field: string]: unknown } = {}
  for (const field of indexes.flatMap(({ fields }) => fields)) {
    const [head, rest] = field.split('.') as [string, string?]
    document[head] = rest ? { [rest]: value } : value
  }
  return { ...document, id } as Document
}

describe('SQLite, asked how it carries out', () => {
  const directory = temporaryDirectory()
  let store: SqliteReadModels
  before(async () => {
    store = await openSqliteReadModels(path.join(directory.path, 'views.db'), collections)
    const building = await store.rebuild(builtFrom('plans'))
    const changes = collections.flatMap(({ name, indexes }) =>
      [1, [1, 2]].map((value, n) => ({
        collection: name,
        id: n + 1,
        document: documentWith(n + 1, indexes, value),
        position: n,
      })),
    )
    const numbered = changes.filter(({ collection }) => collection !== 'former_key')
    await building.apply(numbered, 2)
    await building.takeOver()
  })
  after(async () => {
    await store.close()
    directory.remove()
  })

  /** @returns the number of steps in the plans */
  const check = (collection: string, queries: readonly Query[]): number => {
    let explained = 0
    for (const query of queries) {
      const steps = store.explain(collection, query)
      const told = `${collection} ${JSON.stringify(query)}\n${steps.join('\n')}`
      explained += steps.length
      expect(steps.join(), told).not.to.match(/TEMP B-TREE|AUTOMATIC/)
      if (Object.keys(query.where).some((field) => field !== 'id')) expect(steps.join(), told).not.to.match(/SCAN/)
    }
    return explained
  }

  for (const { name, indexes } of collections) {
    it(`${name}: what its ${indexes.length} indexes are for, it searches, and sorts nothing`, () => {
      const queries = [...indexes.flatMap(queriesOf), ...ordered({}, ['id']), ...ordered({ id: { $gt: 1 } }, ['id'])]
      expect(check(name, queries)).to.be.greaterThan(indexes.length * 10)
    })
  }

  for (const resource of resources) {
    const lists = Object.entries(resource.operations).flatMap(([id, operation]) =>
      operation.kind === 'list' ? [[id, operation] as const] : [],
    )
    for (const [id, operation] of lists) {
      it(`${id}: every filter and order, it searches, and sorts nothing`, () => {
        check(resource.name, asked(resource, operation))
      })
    }
  }

  it('takes the index that leads to the fewest documents, where several would do', async () => {
    const rare = (n: number) => ({
      workspace: 9,
      kind: n % 50 ? 'common' : 'rare',
      tags: n % 40 === 7 ? 'few' : 'many',
    })
    const changes = Array.from({ length: 1000 }, (_, n) => {
      return { collection: 'contacts', id: n + 10, document: { id: n + 10, ...rare(n) }, position: n + 10 }
    })
    await store.live.apply(changes, 2000)
    await store.landed()
    const used = (kind: string, tags: string) =>
      store.explain('contacts', { where: { workspace: 9, kind, tags } }).join()
    const [byKind, byTags] = [used('rare', 'many'), used('common', 'few')]
    expect(byKind).to.include('kind=?').and.not.include('tags=?')
    expect(byTags).to.include('tags=?').and.not.include('kind=?')
  })
})
