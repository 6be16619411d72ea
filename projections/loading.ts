import { openDocument } from '../domain/kernel/model/personal.ts'
import type { Document, ReadModels, Where } from '../domain/kernel/ports/read-models.ts'
import type { Vault } from '../domain/kernel/ports/vault.ts'
import type { JsonObject } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import { PERSONAL_DATA_CATEGORY } from '../domain/kernel/values/scopes.ts'
import { timeSlices } from '../domain/kernel/values/turns.ts'
import { redact } from '../domain/resources/redact.ts'
import type { Resource } from '../domain/resources/resource.ts'
import type { FileOf, Loader, PastSubject } from '../domain/resources/view-types.ts'
import type { Sources } from './fragments.ts'
import type { History, Moment } from './history.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Collects the keys that are requested in one turn of the event loop and loads them together. Loads no key twice. */
class Batcher<K, V> {
  readonly #load: (keys: readonly K[]) => Promise<readonly V[]>
  readonly #known = new Map<K, Promise<V>>()
  #waiting: { key: K; resolve: (value: V) => void; reject: (error: unknown) => void }[] = []

  constructor(load: (keys: readonly K[]) => Promise<readonly V[]>) {
    this.#load = load
  }

  get(key: K): Promise<V> {
    const known = this.#known.get(key)
    if (known) return known
    const value = new Promise<V>((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
      this.#waiting.push({ key, resolve, reject })
    })
    this.#known.set(key, value)
    return value
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const values = await this.#load(waiting.map(({ key }) => key))
      for (const [index, { resolve }] of waiting.entries()) resolve(values[index]!)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}

interface PastDeps {
  readonly resources: ReadonlyMap<string, Resource>
  readonly vault: Vault
  readonly history: History
  readonly listenerPort: number
  readonly download: (file: FileOf) => string
  readonly publicUrl: (path: string) => string
}

export type LoaderDeps = PastDeps & {
  readonly live: ReadModels
  /** Milliseconds since 1970, by the clock of a workspace. */
  readonly now: (workspaceId: number) => number
}

const byKey = <V>(make: (key: string) => V): ((key: string) => V) => {
  const made = new Map<string, V>()
  return (key) => getOrInsert(made, key, () => make(key))
}

const presentWith =
  (resources: ReadonlyMap<string, Resource>, loader: () => Loader) =>
  async (resource: string, document: Document): Promise<JsonObject> => {
    const declared = resources.get(resource)
    if (!declared) throw new Error(`no resource is named ${resource}`)
    const { view, category } = declared
    const shown = await view.present(document, loader(), NOTHING)
    return loader().seesPersonalData || category !== PERSONAL_DATA_CATEGORY ? shown : redact(view.schema, shown)
  }

/** Returns a function that opens sealed data, or gives `null` where personal data may not be shown. */
const openingWith = (vault: Vault, seesPersonalData: boolean): Loader['open'] =>
  seesPersonalData ? (person, sealed) => vault.open(person, sealed) : () => null

/** Look-ups for the views of one request, and the parts that these have cut. */
export interface RequestLoader extends Loader {
  readonly cuts: ReadonlySet<string>
}

const noteCuts = (): Pick<RequestLoader, 'cut' | 'cuts'> => {
  const cuts = new Set<string>()
  return { cuts, cut: (part) => void cuts.add(part) }
}

interface Lookup {
  readonly resource: string
  readonly field: string
  readonly values: readonly (number | string)[]
  /** Highest number of documents for each value. */
  readonly first: number
}

/** Finds the documents of all values in one query. Where that finds so many that one value may exceed its limit, takes one query per value. */
const findAll = async (live: ReadModels, { resource, field, values, first }: Lookup): Promise<Document[]> => {
  const find = (where: Where, limit: number) => live.find(resource, { where, ...(Number.isFinite(limit) && { limit }) })
  const [value] = values
  if (values.length === 1) return find({ [field]: value! }, first)
  const found = await find({ [field]: { $in: values } }, first + 1)
  if (found.length <= first) return found
  return (await Promise.all(values.map((one) => find({ [field]: one }, first)))).flat()
}

/**
 * Creates the look-ups for the views of one request, over the live read models.
 *
 * @param seesPersonalData whether personal data may be shown
 */
export const createLoader = (deps: LoaderDeps, seesPersonalData: boolean): RequestLoader => {
  const { resources, live, vault, now, listenerPort, download, publicUrl } = deps
  const times = new Map<number, string>()
  const open = (document: Document | undefined) => (document ? openDocument(vault, document) : undefined)
  const documents = byKey(
    (resource) =>
      new Batcher<number, Document | undefined>(async (ids) =>
        Promise.all((await live.getMany(resource, ids)).map(open)),
      ),
  )
  const lookups = byKey((key) => {
    const [resource = '', field = '', first] = key.split(' ')
    return new Batcher<number | string, Document[]>(async (values) => {
      const found = await findAll(live, { resource, field, values, first: Number(first) })
      const opened = await Promise.all(found.map((document) => openDocument(vault, document)))
      return values.map((value) => opened.filter((document) => document[field] === value))
    })
  })
  const one: Loader['one'] = async (resource, id) =>
    id === null || id === undefined || Number.isNaN(id) ? undefined : documents(resource).get(id)
  const loader: RequestLoader = {
    ...noteCuts(),
    seesPersonalData,
    one,
    many: async (resource, ids) =>
      (await Promise.all(ids.map((id) => one(resource, id)))).filter((document) => document !== undefined),
    where: (resource, field, value, first = Number.POSITIVE_INFINITY) =>
      lookups(`${resource} ${field} ${first}`).get(value),
    count: async (resource, field, value) => live.count(resource, { [field]: value }),
    now: (workspaceId) => getOrInsert(times, workspaceId, () => new Date(now(workspaceId)).toISOString()),
    present: presentWith(resources, () => loader),
    past: async (subject) => (await createSnapshots(deps, seesPersonalData)(subject))?.data,
    listenerPort,
    download,
    publicUrl,
    open: openingWith(vault, seesPersonalData),
    slice: timeSlices(),
  }
  return loader
}

/** Returns the same look-ups for one record of several. They collect the sources and the cuts of this record alone. */
export const recordingLoader = (
  loader: RequestLoader,
  resources: ReadonlyMap<string, Resource>,
  sources: Sources,
): RequestLoader => {
  const noted: RequestLoader = {
    ...loader,
    ...noteCuts(),
    one(resource, id) {
      if (typeof id === 'number') sources.document(resource, id)
      return loader.one(resource, id)
    },
    many(resource, ids) {
      for (const id of ids) sources.document(resource, id)
      return loader.many(resource, ids)
    },
    async where(resource, field, value, first) {
      sources.where(resource, field, value)
      const found = await loader.where(resource, field, value, first)
      for (const { id } of found) sources.document(resource, id)
      return found
    },
    count(resource, field, value) {
      sources.collection(resource)
      return loader.count(resource, field, value)
    },
    now(workspaceId) {
      sources.passing()
      return loader.now(workspaceId)
    },
    present: presentWith(resources, () => noted),
    download(file) {
      sources.passing()
      return loader.download(file)
    },
  }
  return noted
}

/** Creates the same look-ups as of a point in the past, folded from the log. */
export const createPastLoader = (deps: PastDeps, moment: Moment, seesPersonalData: boolean): RequestLoader => {
  const { resources, history, vault, listenerPort, download, publicUrl } = deps
  const declared = (name: string): Resource => {
    const resource = resources.get(name)
    if (!resource) throw new Error(`no resource is named ${name}`)
    return resource
  }
  const one: Loader['one'] = async (resource, id) =>
    id === null || id === undefined || Number.isNaN(id) ? undefined : history.document(declared(resource), id, moment)
  const loader: RequestLoader = {
    ...noteCuts(),
    seesPersonalData,
    one,
    many: async (resource, ids) =>
      (await Promise.all(ids.map((id) => one(resource, id)))).filter((document) => document !== undefined),
    where: async (resource, field, value, first) =>
      (await history.where(declared(resource), field, value, moment)).slice(0, first),
    count: async (resource, field, value) => (await history.where(declared(resource), field, value, moment)).length,
    now: () => moment.at,
    present: presentWith(resources, () => loader),
    past: async (subject) => (await createSnapshots(deps, seesPersonalData)(subject))?.data,
    listenerPort,
    download,
    publicUrl,
    open: openingWith(vault, seesPersonalData),
    slice: timeSlices(),
  }
  return loader
}

/** Record as its own endpoint showed it, and the document from which that was made. */
export interface Snapshot {
  readonly document: Document
  readonly data: JsonObject
}

/** Returns a function that folds records of the past; it gives `undefined` for a record that never existed. */
export const createSnapshots =
  (deps: PastDeps, seesPersonalData: boolean) =>
  async ({ resource, id, stream, revision, goneFrom, at }: PastSubject): Promise<Snapshot | undefined> => {
    const declared = deps.resources.get(resource)
    if (!declared) throw new Error(`no resource is named ${resource}`)
    for (const last of [revision, goneFrom - 1]) {
      const moment: Moment = { at, upTo: { stream, revision: last } }
      const document = await deps.history.document(declared, id, moment)
      if (!document) continue
      const load = createPastLoader(deps, moment, seesPersonalData)
      return { document, data: await declared.view.present(document, load, NOTHING) }
    }
    return undefined
  }
