import path from 'node:path'
import { expect } from 'chai'
import { resources, tallies } from '../../domain/index.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { openSqliteReadModels } from '../../infra/read-models/sqlite/store.ts'
import { collectionsOf } from '../../projections/collections.ts'

/** Every document of every collection, by id. */
export type Documents = ReadonlyMap<string, ReadonlyMap<number | string, Document>>

const collections = collectionsOf(resources, tallies)

export const allDocuments = async (models: Pick<ReadModels, 'find'>): Promise<Documents> => {
  const all = new Map<string, Map<number | string, Document>>()
  for (const { name } of collections) {
    const documents = await models.find(name, { where: {} })
    all.set(name, new Map(documents.map((document) => [document.id, document])))
  }
  return all
}

/** The documents of the live read models of a data directory. No process may be using it. */
export const documentsOnDisk = async (data: string): Promise<Documents> => {
  const store = await openSqliteReadModels(path.join(data, 'views.db'), collections)
  try {
    return await allDocuments(store.live)
  } finally {
    await store.close()
  }
}

export const countOf = (documents: Documents): number =>
  [...documents.values()].reduce((sum, collection) => sum + collection.size, 0)

/** Fails at the first document that differs, which is easier to read than a diff of all of them. */
export const expectSameDocuments = (actual: Documents, expected: Documents): void => {
  for (const { name } of collections) {
    const [found, wanted] = [actual.get(name)!, expected.get(name)!]
    for (const id of new Set([...wanted.keys(), ...found.keys()])) {
      expect(found.get(id), `${name} ${id}`).to.deep.equal(wanted.get(id))
    }
  }
}
