import type {
  Change,
  CollectionSpec,
  Document,
  Fingerprints,
  Place,
  Query,
  ReadModelStore,
  ReadModels,
  Where,
} from '../../../domain/kernel/ports/read-models.ts'

/** Read models under test, opened for some collections. */
export interface OpenReadModels {
  readonly store: ReadModelStore
  /** Closes the store and opens it again, as a restarted process would. */
  reopen(): Promise<ReadModelStore>
  /** Closes the store and removes the test's data. */
  cleanup(): Promise<void>
}

/** Gives the read models of the running test. */
export type Setting = () => OpenReadModels

export const collections: readonly CollectionSpec[] = [
  {
    name: 'contacts',
    indexes: [
      { fields: ['workspace'] },
      { fields: ['workspace'], sort: 'score' },
      { fields: ['workspace'], sort: 'updated_at' },
      { fields: ['workspace', 'kind'] },
      { fields: ['workspace', 'kind'], sort: 'name' },
      { fields: ['workspace', 'tags'] },
      { fields: ['workspace', 'tags'], sort: 'score' },
      { fields: ['address.country'] },
      { fields: ['orders.sku'] },
    ],
  },
  { name: 'timers', indexes: [{ fields: [], sort: 'due' }] },
  { name: 'notes', indexes: [] },
]

/** Fingerprints of declarations with this name. */
export function builtFrom(name: string): Fingerprints {
  return new Map([['contacts', { documents: name, indexes: [], attributes: [] }]])
}

/** Name of the declarations that the live generation was built from. */
export async function builtOf(store: ReadModelStore): Promise<string | undefined> {
  return (await store.fingerprints())?.get('contacts')?.documents
}

export type Fields = Omit<Document, 'id'>

/** Changes that write these documents, at positions from `first`. */
export function changes(collection: string, documents: readonly Document[], first = 0): Change[] {
  return documents.map((document, n) => ({ collection, id: document.id, document, position: first + n }))
}

export function removal(collection: string, id: number | string, position: number): Change {
  return { collection, id, document: null, position }
}

/** Contacts 1, 2, 3… of workspace 1, with these fields. */
export function contacts(...fields: readonly Fields[]): Document[] {
  return fields.map((each, n) => ({ id: n + 1, workspace: 1, ...each }))
}

/** Builds a first generation with these documents. @returns the live read models after it took over */
export async function live(
  store: ReadModelStore,
  documents: readonly Document[],
  collection = 'contacts',
): Promise<ReadModels> {
  const building = await store.rebuild(builtFrom('first'))
  await building.apply(changes(collection, documents), documents.length - 1)
  await building.takeOver()
  return store.live
}

export async function ids(models: ReadModels, query: Query, collection = 'contacts'): Promise<(number | string)[]> {
  return (await models.find(collection, query)).map((document) => document.id)
}

/** The error that a call throws or rejects with. */
export async function thrown(call: () => unknown): Promise<Error> {
  try {
    await call()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

/** Reads a query page by page. @returns the ids in the order of reading */
export async function walk(models: ReadModels, query: Query, pageSize: number, between: () => unknown = () => {}) {
  const met: (number | string)[] = []
  let after: Place | undefined
  for (;;) {
    const page = await models.find('contacts', { ...query, limit: pageSize, ...(after && { after }) })
    const last = page.at(-1)
    if (!last) return met
    met.push(...page.map(({ id }) => id))
    after = placeOf(last, query)
    await between()
  }
}

/** Place of a document in the order of a query. */
export function placeOf(document: Document, { sort }: Pick<Query, 'sort'>): Place {
  const value = sort && sort.by !== 'id' ? document[sort.by] : undefined
  return { id: document.id, ...(value !== undefined && { value }) }
}

export const inWorkspace: Where = { workspace: 1 }
