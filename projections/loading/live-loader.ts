import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { Document, ReadModels, Where } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'
import type { PastSubject } from '../../domain/resources/view-types.ts'
import { Batcher } from './batcher.ts'
import { BaseLoader, type LoaderDeps, type RequestLoader } from './loader.ts'
import { createSnapshots } from './past-loader.ts'

export interface LiveLoaderDeps extends LoaderDeps {
  readonly everywhere: ReadModels
  /** Milliseconds since 1970, by the clock of a workspace. */
  readonly now: (workspaceId: number) => number
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
export const createLoader = (deps: LiveLoaderDeps, seesPersonalData: boolean): RequestLoader =>
  new LiveLoader(deps, seesPersonalData)

type ById = Batcher<number, Document | undefined>
type ByValue = Batcher<number | string, Document[]>

class LiveLoader extends BaseLoader<LiveLoaderDeps> {
  #byId: Map<string, ById> | undefined
  #byValue: Map<string, ByValue> | undefined
  #times: Map<number, string> | undefined

  async one(resource: string, id: number | null | undefined): Promise<Document | undefined> {
    if (id === null || id === undefined || Number.isNaN(id)) return undefined
    this.#byId ??= new Map()
    return getOrInsert(this.#byId, resource, () => this.#documents(resource)).get(id)
  }

  where(resource: string, field: string, value: number | string, first = Number.POSITIVE_INFINITY) {
    this.#byValue ??= new Map()
    const key = `${resource} ${field} ${first}`
    return getOrInsert(this.#byValue, key, () => this.#lookups(resource, field, first)).get(value)
  }

  async count(resource: string, field: string, value: number | string): Promise<number> {
    return this.deps.everywhere.count(resource, { [field]: value })
  }

  now(workspaceId: number): string {
    this.#times ??= new Map()
    return getOrInsert(this.#times, workspaceId, () => new Date(this.deps.now(workspaceId)).toISOString())
  }

  async past(subject: PastSubject): Promise<JsonObject | undefined> {
    return (await createSnapshots(this.deps, this.seesPersonalData)(subject))?.data
  }

  #documents(resource: string): ById {
    const { everywhere: live, vault } = this.deps
    const open = (document: Document | undefined) => (document ? openDocument(vault, document) : undefined)
    return new Batcher(async (ids) => Promise.all((await live.getMany(resource, ids)).map(open)))
  }

  #lookups(resource: string, field: string, first: number): ByValue {
    const { everywhere: live, vault } = this.deps
    return new Batcher(async (values) => {
      const found = await findAll(live, { resource, field, values, first })
      const opened = await Promise.all(found.map((document) => openDocument(vault, document)))
      return values.map((value) => opened.filter((document) => document[field] === value))
    })
  }
}
