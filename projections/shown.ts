import type { JsonObject } from '../domain/kernel/event.ts'
import { goOn, type MaybePromise } from '../domain/kernel/maybe-promise.ts'
import { openDocument } from '../domain/kernel/personal.ts'
import type { Document, Query, Watched } from '../domain/kernel/ports/read-models.ts'
import type { Resource } from '../domain/kinds/resource.ts'
import { type Fragment, Fragments, type Making } from './fragments.ts'
import { createLoader, type LoaderParts, noting } from './loading.ts'

/** One page of a list. */
export interface Page {
  readonly fragments: readonly Fragment[]
  /** Whether something comes behind it. */
  readonly more: boolean
}

/** Records as they are sent. */
export interface Shown {
  /** At once where it is kept. */
  one(resource: Resource, id: number, expand: ReadonlySet<string>): MaybePromise<Fragment | undefined>
  /** The first of what a query finds. */
  page(resource: Resource, query: Query, most: number, expand: ReadonlySet<string>): Promise<Page>
  /** The first of some documents. */
  of(resource: Resource, documents: readonly Document[], most: number, expand: ReadonlySet<string>): Promise<Page>
  /** Drops what is kept, as when somebody has been erased. */
  forget(): void
}

interface ShownParts extends LoaderParts {
  /** The same read models where they tell of their changes: then what was shown is kept. */
  readonly watched?: Watched
  /** Bytes of memory for that. */
  readonly memory: number
}

const keyOf = ({ name }: Resource, id: number | string, expand: ReadonlySet<string>): string =>
  expand.size === 0 ? `${name} ${id}` : `${name} ${id} ${[...expand].sort()}`

/** What is in the frame of a record. */
const frameOf = ({ under }: Resource, document: Document): Document => {
  const { id, rev, team_id, workspace_id } = document
  return { id, rev, team_id, workspace_id, [under.field]: document[under.field] }
}

/** Shows records, and keeps what was shown where every change is heard of. */
export const createShown = (parts: ShownParts): Shown => {
  const { live, vault, resources, watched, memory } = parts
  const kept = new Fragments(watched ? memory : 0)
  watched?.watch((changes) => (changes ? kept.note(changes) : kept.forget()))

  const make = async (
    resource: Resource,
    document: Document,
    expand: ReadonlySet<string>,
    [loader, making]: readonly [ReturnType<typeof createLoader>, Making],
  ): Promise<Fragment> => {
    making.document(resource.name, document.id)
    const load = noting(loader, resources, making)
    const opened = await openDocument(vault, document)
    const body: JsonObject = await resource.view.present(opened, load, expand)
    const fragment = { frame: frameOf(resource, document), text: JSON.stringify(body), cuts: [...load.cuts] }
    if (watched) kept.keep(keyOf(resource, document.id, expand), fragment, making)
    return fragment
  }

  const makeAll = (
    resource: Resource,
    documents: readonly Document[],
    expand: ReadonlySet<string>,
    makings: readonly Making[],
  ) => {
    const loader = createLoader(parts)
    return Promise.all(documents.map((document, n) => make(resource, document, expand, [loader, makings[n]!])))
  }

  /** Those of a page by their ids: what is not kept is read together. */
  const byIds = async (resource: Resource, ids: readonly (number | string)[], expand: ReadonlySet<string>) => {
    const found = ids.map((id) => kept.get(keyOf(resource, id, expand)))
    if (!found.includes(undefined)) return found
    const missing = ids.filter((_, n) => !found[n])
    const makings = missing.map(() => kept.begin())
    const documents = await live.getMany(resource.name, missing)
    const there = documents.flatMap((document) => document ?? [])
    const made = await makeAll(resource, there, expand, makings)
    const byId = new Map(made.map((fragment) => [fragment.frame.id, fragment]))
    return ids.map((id, n) => found[n] ?? byId.get(id))
  }

  const idsOf = (resource: Resource, query: Query, from: Watched) => {
    const key = `${resource.name} ${JSON.stringify(query)}`
    const known = kept.ids(key)
    if (known) return known
    const making = kept.begin()
    return goOn(from.findIds(resource.name, query), (ids) => {
      kept.keepIds(key, resource.name, ids, making)
      return ids
    })
  }

  const of: Shown['of'] = async (resource, documents, most, expand) => {
    const first = documents.slice(0, most)
    const fragments = await makeAll(
      resource,
      first,
      expand,
      first.map(() => kept.begin()),
    )
    return { fragments, more: documents.length > most }
  }

  return {
    of,
    one(resource, id, expand) {
      const known = kept.get(keyOf(resource, id, expand))
      if (known) return known
      const making = kept.begin()
      return goOn(
        live.get(resource.name, id),
        (document) => document && make(resource, document, expand, [createLoader(parts), making]),
      )
    },
    async page(resource, query, most, expand) {
      if (!watched) return of(resource, await live.find(resource.name, query), most, expand)
      const ids = idsOf(resource, query, watched)
      const found = ids instanceof Promise ? await ids : ids
      const fragments = await byIds(resource, found.slice(0, most), expand)
      return { fragments: fragments.filter((fragment) => fragment !== undefined), more: found.length > most }
    },
    forget: () => kept.forget(),
  }
}
