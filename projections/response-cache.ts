import { openDocument } from '../domain/kernel/model/personal.ts'
import { getInTurns } from '../domain/kernel/ports/get-in-turns.ts'
import type { Document, Query, WatchedReadModels } from '../domain/kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../domain/kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import type { Resource } from '../domain/resources/resource.ts'
import { type Fragment, Fragments, type Page, type PendingEntry } from './fragments.ts'
import { createLoader, type LiveLoaderDeps } from './loading/live-loader.ts'
import type { RequestLoader } from './loading/loader.ts'
import { RecordingLoader } from './loading/recording-loader.ts'
import { pageOf } from './page-text.ts'

/** Form in which a record is shown. */
export interface RecordForm {
  readonly expand: ReadonlySet<string>
  /** Whether personal data may be shown. */
  readonly seesPersonalData: boolean
}

/** Form in which a page is shown. */
export interface PageForm extends RecordForm {
  /** Highest number of records. */
  readonly most: number
  /** Key that holds the records; without it the page is an array. */
  readonly envelope?: string | undefined
}

/** Records and pages as they are sent. */
export interface ResponseCache {
  /** Returns a record, synchronously when it is cached. */
  one(resource: Resource, id: number, form: RecordForm): MaybePromise<Fragment | undefined>
  /** Returns the first documents that a query finds. */
  page(resource: Resource, query: Query, form: PageForm): MaybePromise<Page>
  /** Returns the first of these documents. */
  of(resource: Resource, documents: readonly Document[], form: PageForm): Promise<Page>
  /** Clears the cache, for example when a person has been erased. */
  forget(): void
}

const BLANK = 'blank'

interface ResponseCacheDeps extends LiveLoaderDeps {
  /** The same read models, when they report their changes. Only then are answers cached. */
  readonly watched?: WatchedReadModels
  /** Bytes of memory for the cache. */
  readonly memory: number
}

/** Returns the key of a record. Records with personal data and without never share a key. */
const keyOf = ({ name }: Resource, id: number | string, { expand, seesPersonalData }: RecordForm): string => {
  const key = expand.size === 0 ? `${name} ${id}` : `${name} ${id} ${[...expand].sort()}`
  return seesPersonalData ? key : `${key} ${BLANK}`
}

const listKey = ({ name }: Resource, query: Query): string => `${name} ${JSON.stringify(query)}`

const pageKey = (resource: Resource, query: Query, { envelope, expand, seesPersonalData }: PageForm): string => {
  const expanded = expand.size === 0 ? '' : [...expand].sort()
  return `${listKey(resource, query)} ${envelope ?? ''} ${expanded} ${seesPersonalData ? '' : BLANK}`
}

const framed = new WeakMap<Resource, readonly string[]>()

/** Returns the fields of a frame: those that decide who may see a record, by which clients can sort it, and its revision. */
const frameFields = (resource: Resource): readonly string[] => {
  const known = framed.get(resource)
  if (known) return known
  const { under, subjectField, operations } = resource
  const sorts = Object.values(operations).flatMap((operation) => (operation.kind === 'list' ? operation.sorts : []))
  const all = ['id', 'rev', 'team_id', 'workspace_id', under.field, ...sorts, ...(subjectField ? [subjectField] : [])]
  const fields = [...new Set(all)]
  framed.set(resource, fields)
  return fields
}

/** Returns the frame of a record, which is cached with it. */
const frameOf = (resource: Resource, document: Document): Document => {
  const frame: Record<string, Json | undefined> = {}
  for (const field of frameFields(resource)) frame[field] = document[field]
  return frame as Document
}

/** Creates the response cache. It caches only when all changes of the read models are reported. */
export const createResponseCache = (deps: ResponseCacheDeps): ResponseCache => new FragmentResponseCache(deps)

/** Response cache that puts pages together from cached records. */
class FragmentResponseCache implements ResponseCache {
  readonly #deps: ResponseCacheDeps
  readonly #fragments: Fragments

  constructor(deps: ResponseCacheDeps) {
    const { watched, memory } = deps
    const fragments = new Fragments(watched ? memory : 0)
    watched?.watch((changes) => (changes ? fragments.note(changes) : fragments.forget()))
    this.#deps = deps
    this.#fragments = fragments
  }

  one(resource: Resource, id: number, form: RecordForm): MaybePromise<Fragment | undefined> {
    const known = this.#fragments.get(keyOf(resource, id, form))
    if (known) return known
    const making = this.#fragments.begin()
    return mapMaybe(
      this.#deps.everywhere.get(resource.name, id),
      (document) => document && this.#make(resource, document, form, this.#loader(form), making),
    )
  }

  page(resource: Resource, query: Query, form: PageForm): MaybePromise<Page> {
    const { everywhere: live, watched } = this.#deps
    if (!watched) return mapMaybe(live.find(resource.name, query), (documents) => this.of(resource, documents, form))
    const key = pageKey(resource, query, form)
    return this.#fragments.page(key) ?? this.#makePage(resource, query, form, key, watched)
  }

  async of(resource: Resource, documents: readonly Document[], form: PageForm): Promise<Page> {
    const first = documents.slice(0, form.most)
    const known = first.map(({ id }) => this.#fragments.get(keyOf(resource, id, form)))
    const others = first.filter((_, n) => !known[n])
    const makings = others.map(() => this.#fragments.begin())
    const made = (await this.#makeAll(resource, others, form, makings)).values()
    const fragments = known.map((fragment) => fragment ?? made.next().value!)
    return pageOf(fragments, documents.length > form.most, form.envelope)
  }

  forget(): void {
    this.#fragments.forget()
  }

  #loader({ seesPersonalData }: RecordForm): RequestLoader {
    return createLoader(this.#deps, seesPersonalData)
  }

  /** Makes a record as it is sent, and caches it. */
  async #make(
    resource: Resource,
    document: Document,
    form: RecordForm,
    loader: RequestLoader,
    making: PendingEntry,
  ): Promise<Fragment> {
    const { vault, watched } = this.#deps
    making.document(resource.name, document.id)
    const load = new RecordingLoader(this.#deps, loader, making)
    const opened = await openDocument(vault, document)
    const body: JsonObject = await resource.view.present(opened, load, form.expand)
    const others = load.slice()
    if (others) await others
    const text = JSON.stringify(body)
    const fragment = { frame: frameOf(resource, document), text, cuts: load.cuts, sources: making.names }
    if (watched) this.#fragments.keep(keyOf(resource, document.id, form), fragment, making)
    return fragment
  }

  /** Makes records that share their look-ups. */
  #makeAll(
    resource: Resource,
    documents: readonly Document[],
    form: RecordForm,
    makings: readonly PendingEntry[],
  ): Promise<Fragment[]> {
    const loader = this.#loader(form)
    return Promise.all(documents.map((document, n) => this.#make(resource, document, form, loader, makings[n]!)))
  }

  /** Returns records by their ids. Those that are not cached are read together. */
  async #byIds(resource: Resource, ids: readonly (number | string)[], form: RecordForm) {
    const found = ids.map((id) => this.#fragments.get(keyOf(resource, id, form)))
    if (!found.includes(undefined)) return found
    const missing = ids.filter((_, n) => !found[n])
    const makings = missing.map(() => this.#fragments.begin())
    // Only read models of this machine report their changes and are cached: here a batch of one costs no round trip.
    const documents = await getInTurns(this.#deps.everywhere, resource.name, missing, 1)
    const existing = documents.flatMap((document) => document ?? [])
    const made = await this.#makeAll(resource, existing, form, makings)
    const byId = new Map(made.map((fragment) => [fragment.frame.id, fragment]))
    return ids.map((id, n) => found[n] ?? byId.get(id))
  }

  /** Returns the ids that a query finds, from the cache or from the read models. */
  #idsOf(resource: Resource, query: Query, from: WatchedReadModels) {
    const key = listKey(resource, query)
    const known = this.#fragments.ids(key)
    if (known) return known
    const making = this.#fragments.begin()
    making.collection(resource.name)
    return mapMaybe(from.findIds(resource.name, query), (ids) => {
      this.#fragments.keepIds(key, ids, making)
      return ids
    })
  }

  /** Makes a page and caches it under `key`. */
  async #makePage(resource: Resource, query: Query, form: PageForm, key: string, from: WatchedReadModels) {
    const making = this.#fragments.begin()
    making.collection(resource.name)
    const ids = await this.#idsOf(resource, query, from)
    const found = await this.#byIds(resource, ids.slice(0, form.most), form)
    const fragments = found.filter((fragment) => fragment !== undefined)
    making.of(fragments)
    const page = await pageOf(fragments, ids.length > form.most, form.envelope)
    return this.#fragments.keepPage(key, page, making)
  }
}
