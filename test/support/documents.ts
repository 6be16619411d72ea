import path from 'node:path'
import { expect } from 'chai'
import { resources, tallies } from '../../domain/index.ts'
import { openDocument, PERSON_FIELD, PERSONAL } from '../../domain/kernel/model/personal.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
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

/**
 * Returns documents without the personal parts that nobody can open any more. When a person is erased, what is sealed in documents of other records stays
 * where it is and only its key is gone; documents that are folded anew have nothing there.
 */
export const withoutErased = async (documents: Documents, vault: Vault): Promise<Documents> => {
  const readable = async (document: Document): Promise<Document> => {
    if (document[PERSON_FIELD] === undefined || (await openDocument(vault, document))[PERSONAL] !== null)
      return document
    const { [PERSON_FIELD]: _, ...others } = document
    return { ...others, [PERSONAL]: null }
  }
  const all = new Map<string, ReadonlyMap<number | string, Document>>()
  for (const [name, collection] of documents) {
    const opened = await Promise.all([...collection].map(async ([id, one]) => [id, await readable(one)] as const))
    all.set(name, new Map(opened))
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
