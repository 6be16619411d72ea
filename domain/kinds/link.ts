import type { Aggregate, Command } from '../kernel/decider.ts'
import type { FieldTable } from '../kernel/field.ts'
import type { Publications } from '../kernel/publication.ts'
import type { Documents, Filter, Operation, Owner, Resource, View, WriteInput } from '../kernel/resource.ts'
import type { Category } from '../kernel/scopes.ts'
import { byId, create, list, remove, show } from './operations.ts'

/** Something put on a record and taken off again, never changed: an applied tag, a like. Its events stand in the record's own stream. */
export interface LinkSpec {
  readonly name: string
  readonly tag: string
  readonly root: string
  readonly category: Category
  readonly under: Owner
  readonly aggregate: Aggregate
  readonly documents: Documents
  readonly fields: FieldTable
  readonly filters: Readonly<Record<string, Filter>>
  readonly view: View
  readonly publishes?: Publications
  readonly person?: Resource['person']
  /** Operation ids and paths. */
  readonly paths: {
    readonly list: readonly [id: string, path: string]
    readonly create: readonly [id: string, path: string]
    readonly show: readonly [id: string, path: string]
    readonly remove: readonly [id: string, path: string]
  }
  put(input: WriteInput): Command
  take(input: WriteInput): Command
}

/** A resource from a link's declaration: list, show, create, remove. */
export const link = (spec: LinkSpec): Resource => {
  const { paths } = spec
  const operations: Readonly<Record<string, Operation>> = {
    [paths.list[0]]: list(paths.list[1], { filters: { id: byId, ...spec.filters } }),
    [paths.create[0]]: create(paths.create[1], spec.root, spec.fields, { command: spec.put }),
    [paths.show[0]]: show(paths.show[1]),
    [paths.remove[0]]: remove(paths.remove[1], { command: spec.take }),
  }
  const { name, tag, root, category, under, aggregate, documents, view } = spec
  return {
    name,
    tag,
    root,
    category,
    under,
    aggregate,
    documents,
    view,
    operations,
    ...(spec.publishes && { publishes: spec.publishes }),
    ...(spec.person && { person: spec.person }),
  }
}
