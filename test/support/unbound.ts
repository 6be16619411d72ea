import type { Documents, FactReader } from '../../domain/kernel/decide/command.ts'

/** Returns read access that hides nothing, for tests of functions that read the documents of one workspace. */
export const unbound = (documents: Documents): FactReader => ({
  get: (collection, id) => documents.get(collection, id),
  getMany: (collection, ids) => documents.getMany(collection, ids),
  find: (collection, query) => documents.find(collection, query),
  everywhere: documents,
})
