import type {
  Change,
  CollectionSpec,
  Document,
  Fingerprints,
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
  /** Closes what is open and takes away what the test has left. */
  cleanup(): Promise<void>
}

/** Reaches the read models of the test that runs at the moment. */
export type Setting = () => OpenReadModels

export const collections: readonly CollectionSpec[] = [
  {
    name: 'contacts',
    indexes: [
      { fields: ['workspace'] },
      { fields: ['workspace'], sort: 'score' },
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

/** As if built from declarations of this name. */
export function builtFrom(name: string): Fingerprints {
  return new Map([['contacts', { documents: name, indexes: [], attributes: [] }]])
}

/** The name of the declarations that the live generation was built from. */
export async function builtOf(store: ReadModelStore): Promise<string | undefined> {
  return (await store.fingerprints())?.get('contacts')?.documents
}

export type Fields = Omit<Document, 'id'>

/** Documents as changes at positions from `first` on. */
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

/** The live read models after a first generation with these documents took over. */
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

/** What a call throws, or rejects with. */
export async function thrown(call: () => unknown): Promise<Error> {
  try {
    await call()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

/** Every document of a walk in pages, in the order met. */
export async function walk(models: ReadModels, query: Query, pageSize: number, between: () => unknown = () => {}) {
  const met: (number | string)[] = []
  for (;;) {
    const after = met.at(-1)
    const page = await ids(models, { ...query, limit: pageSize, ...(after !== undefined && { after }) })
    if (page.length === 0) return met
    met.push(...page)
    await between()
  }
}

export const inWorkspace: Where = { workspace: 1 }
