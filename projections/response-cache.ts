import { openDocument } from '../domain/kernel/model/personal.ts'
import type { Document, Query, Watched } from '../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../domain/kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import type { Resource } from '../domain/resources/resource.ts'
import { type Fragment, Fragments, type Making, type Page } from './fragments.ts'
import { createLoader, type LoaderDeps, noting } from './loading.ts'

/** How a record is to be shown. */
export interface Form {
  readonly expand: ReadonlySet<string>
  /** Whether personal data may be. */
  readonly seesPersonalData: boolean
}

/** How a page is to be shown. */
export interface PageForm extends Form {
  /** So many records. */
  readonly most: number
  /** The key under which they stand; without it the page is an array. */
  readonly envelope?: string | undefined
}

/** Records as they are sent. */
export interface ResponseCache {
  /** At once where it is kept. */
  one(resource: Resource, id: number, form: Form): MaybePromise<Fragment | undefined>
  /** The first of what a query finds. */
  page(resource: Resource, query: Query, form: PageForm): MaybePromise<Page>
  /** The first of some documents. */
  of(resource: Resource, documents: readonly Document[], form: PageForm): Promise<Page>
  /** Drops what is kept, as when somebody has been erased. */
  forget(): void
}

const BLANK = 'blank'

interface ResponseCacheDeps extends LoaderDeps {
  /** The same read models where they tell of their changes: then what was shown is kept. */
  readonly watched?: Watched
  /** Bytes of memory for that. */
  readonly memory: number
}

/** What is kept with personal data, and what without, is never the same. */
const keyOf = ({ name }: Resource, id: number | string, { expand, seesPersonalData }: Form): string => {
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

/** What is in the frame of a record. */
const frameOf = ({ under, subjectField }: Resource, document: Document): Document => {
  const { id, rev, team_id, workspace_id } = document
  const frame = { id, rev, team_id, workspace_id, [under.field]: document[under.field] }
  return subjectField === undefined ? frame : { ...frame, [subjectField]: document[subjectField] }
}

/** Shows records, and keeps what was shown where every change is heard of. */
export const createResponseCache = (deps: ResponseCacheDeps): ResponseCache => {
  const { live, vault, resources, watched, memory } = deps
  const kept = new Fragments(watched ? memory : 0)
  watched?.watch((changes) => (changes ? kept.note(changes) : kept.forget()))

  const make = async (
    resource: Resource,
    document: Document,
    form: Form,
    [loader, making]: readonly [ReturnType<typeof createLoader>, Making],
  ): Promise<Fragment> => {
    making.document(resource.name, document.id)
    const load = noting(loader, resources, making)
    const opened = await openDocument(vault, document)
    const body: JsonObject = await resource.view.present(opened, load, form.expand)
    const text = JSON.stringify(body)
    const fragment = { frame: frameOf(resource, document), text, cuts: [...load.cuts], sources: making.names }
    if (watched) kept.keep(keyOf(resource, document.id, form), fragment, making)
    return fragment
  }

  const makeAll = (resource: Resource, documents: readonly Document[], form: Form, makings: readonly Making[]) => {
    const loader = createLoader(deps, form.seesPersonalData)
    return Promise.all(documents.map((document, n) => make(resource, document, form, [loader, makings[n]!])))
  }

  /** Those of a page by their ids: what is not kept is read together. */
  const byIds = async (resource: Resource, ids: readonly (number | string)[], form: Form) => {
    const found = ids.map((id) => kept.get(keyOf(resource, id, form)))
    if (!found.includes(undefined)) return found
    const missing = ids.filter((_, n) => !found[n])
    const makings = missing.map(() => kept.begin())
    const documents = await live.getMany(resource.name, missing)
    const there = documents.flatMap((document) => document ?? [])
    const made = await makeAll(resource, there, form, makings)
    const byId = new Map(made.map((fragment) => [fragment.frame.id, fragment]))
    return ids.map((id, n) => found[n] ?? byId.get(id))
  }

  const idsOf = (resource: Resource, key: string, query: Query, from: Watched) => {
    const known = kept.ids(key)
    if (known) return known
    const making = kept.begin()
    making.collection(resource.name)
    return mapMaybe(from.findIds(resource.name, query), (ids) => {
      kept.keepIds(key, ids, making)
      return ids
    })
  }

  /** A page, made and kept under `key`. */
  const makePage = async (
    resource: Resource,
    query: Query,
    form: PageForm,
    [key, from]: readonly [string, Watched],
  ) => {
    const making = kept.begin()
    making.collection(resource.name)
    const ids = await idsOf(resource, listKey(resource, query), query, from)
    const found = await byIds(resource, ids.slice(0, form.most), form)
    const fragments = found.filter((fragment) => fragment !== undefined)
    making.of(fragments)
    return kept.keepPage(key, pageOf(fragments, ids.length > form.most, form), making)
  }

  const of: ResponseCache['of'] = async (resource, documents, form) => {
    const first = documents.slice(0, form.most)
    const makings = first.map(() => kept.begin())
    return pageOf(await makeAll(resource, first, form, makings), documents.length > form.most, form)
  }

  return {
    of,
    one(resource, id, form) {
      const known = kept.get(keyOf(resource, id, form))
      if (known) return known
      const making = kept.begin()
      return mapMaybe(
        live.get(resource.name, id),
        (document) => document && make(resource, document, form, [createLoader(deps, form.seesPersonalData), making]),
      )
    },
    page(resource, query, form) {
      if (!watched) return mapMaybe(live.find(resource.name, query), (documents) => of(resource, documents, form))
      const key = `${listKey(resource, query)} ${form.envelope ?? ''} ${[...form.expand].sort()} ${form.seesPersonalData ? '' : BLANK}`
      return kept.page(key) ?? makePage(resource, query, form, [key, watched])
    },
    forget: () => kept.forget(),
  }
}
