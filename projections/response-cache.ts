import { openDocument } from '../domain/kernel/model/personal.ts'
import type { Document, Query, WatchedReadModels } from '../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../domain/kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import type { Resource } from '../domain/resources/resource.ts'
import { type Fragment, Fragments, type Page, type PendingEntry } from './fragments.ts'
import { createLoader, type LoaderDeps, recordingLoader } from './loading.ts'

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

interface ResponseCacheDeps extends LoaderDeps {
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

const pageOf = (fragments: readonly Fragment[], more: boolean, { envelope }: PageForm): Page => {
  const items = `[${fragments.map(({ text }) => text).join(',')}]`
  const last = fragments.at(-1)?.frame
  return {
    text: envelope === undefined ? items : `{${JSON.stringify(envelope)}:${items}}`,
    ...(last && { last }),
    more,
    cuts: fragments.flatMap(({ cuts }) => cuts),
  }
}

const sorts = new WeakMap<Resource, readonly string[]>()

/** Returns the fields by which clients can sort the records of a resource. */
const sortsOf = (resource: Resource): readonly string[] => {
  const known = sorts.get(resource)
  if (known) return known
  const lists = Object.values(resource.operations).filter((operation) => operation.kind === 'list')
  const fields = [...new Set(lists.flatMap((operation) => operation.sorts))]
  sorts.set(resource, fields)
  return fields
}

/** Returns the frame of a record: the fields that decide who may see it and where it stands in lists, and its revision. */
const frameOf = (resource: Resource, document: Document): Document => {
  const { under, subjectField } = resource
  const sorted = Object.fromEntries(sortsOf(resource).map((field) => [field, document[field]]))
  const { id, rev, team_id, workspace_id } = document
  const frame: Document = { id, rev, team_id, workspace_id, [under.field]: document[under.field], ...sorted }
  return subjectField === undefined ? frame : { ...frame, [subjectField]: document[subjectField] }
}

/** Creates the response cache. It caches only when all changes of the read models are reported. */
export const createResponseCache = (deps: ResponseCacheDeps): ResponseCache => {
  const { live, vault, resources, watched, memory } = deps
  const cache = new Fragments(watched ? memory : 0)
  watched?.watch((changes) => (changes ? cache.note(changes) : cache.forget()))

  const make = async (
    resource: Resource,
    document: Document,
    form: RecordForm,
    [loader, making]: readonly [ReturnType<typeof createLoader>, PendingEntry],
  ): Promise<Fragment> => {
    making.document(resource.name, document.id)
    const load = recordingLoader(loader, resources, making)
    const opened = await openDocument(vault, document)
    const body: JsonObject = await resource.view.present(opened, load, form.expand)
    const text = JSON.stringify(body)
    const fragment = { frame: frameOf(resource, document), text, cuts: [...load.cuts], sources: making.names }
    if (watched) cache.keep(keyOf(resource, document.id, form), fragment, making)
    return fragment
  }

  const makeAll = (
    resource: Resource,
    documents: readonly Document[],
    form: RecordForm,
    makings: readonly PendingEntry[],
  ) => {
    const loader = createLoader(deps, form.seesPersonalData)
    return Promise.all(documents.map((document, n) => make(resource, document, form, [loader, makings[n]!])))
  }

  /** Returns records by their ids. Those that are not cached are read together. */
  const byIds = async (resource: Resource, ids: readonly (number | string)[], form: RecordForm) => {
    const found = ids.map((id) => cache.get(keyOf(resource, id, form)))
    if (!found.includes(undefined)) return found
    const missing = ids.filter((_, n) => !found[n])
    const makings = missing.map(() => cache.begin())
    const documents = await live.getMany(resource.name, missing)
    const existing = documents.flatMap((document) => document ?? [])
    const made = await makeAll(resource, existing, form, makings)
    const byId = new Map(made.map((fragment) => [fragment.frame.id, fragment]))
    return ids.map((id, n) => found[n] ?? byId.get(id))
  }

  const idsOf = (resource: Resource, key: string, query: Query, from: WatchedReadModels) => {
    const known = cache.ids(key)
    if (known) return known
    const making = cache.begin()
    making.collection(resource.name)
    return mapMaybe(from.findIds(resource.name, query), (ids) => {
      cache.keepIds(key, ids, making)
      return ids
    })
  }

  /** Makes a page and caches it under `key`. */
  const makePage = async (
    resource: Resource,
    query: Query,
    form: PageForm,
    [key, from]: readonly [string, WatchedReadModels],
  ) => {
    const making = cache.begin()
    making.collection(resource.name)
    const ids = await idsOf(resource, listKey(resource, query), query, from)
    const found = await byIds(resource, ids.slice(0, form.most), form)
    const fragments = found.filter((fragment) => fragment !== undefined)
    making.of(fragments)
    return cache.keepPage(key, pageOf(fragments, ids.length > form.most, form), making)
  }

  const of: ResponseCache['of'] = async (resource, documents, form) => {
    const first = documents.slice(0, form.most)
    const known = first.map(({ id }) => cache.get(keyOf(resource, id, form)))
    const others = first.filter((_, n) => !known[n])
    const makings = others.map(() => cache.begin())
    const made = (await makeAll(resource, others, form, makings)).values()
    const fragments = known.map((fragment) => fragment ?? made.next().value!)
    return pageOf(fragments, documents.length > form.most, form)
  }

  return {
    of,
    one(resource, id, form) {
      const known = cache.get(keyOf(resource, id, form))
      if (known) return known
      const making = cache.begin()
      return mapMaybe(
        live.get(resource.name, id),
        (document) => document && make(resource, document, form, [createLoader(deps, form.seesPersonalData), making]),
      )
    },
    page(resource, query, form) {
      if (!watched) return mapMaybe(live.find(resource.name, query), (documents) => of(resource, documents, form))
      const key = `${listKey(resource, query)} ${form.envelope ?? ''} ${[...form.expand].sort()} ${form.seesPersonalData ? '' : BLANK}`
      return cache.page(key) ?? makePage(resource, query, form, [key, watched])
    },
    forget: () => cache.forget(),
  }
}
