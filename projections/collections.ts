import type { CollectionSpec, Index } from '../domain/kernel/ports/read-models.ts'
import type { ListOperation } from '../domain/resources/operation.ts'
import type { Resource } from '../domain/resources/resource.ts'
import type { Tally } from '../domain/resources/tally.ts'

/** Collection of tombstones of removed children, by which their streams are still found: `{id: <collection>:<id>, aggregate_id}`. */
export const TOMBSTONES = 'tombstone'

export const tombstoneOf = (collection: string, id: number): string => `${collection}:${id}`

/** Collection of entities that a look-up by a field would have found in the past: `{id: <key>:<entity>, key, entity}` (see history.ts). */
export const FORMER_KEYS = 'former_key'

/** Returns the key under which entities that no longer have a value of a looked-up field are stored. */
export const formerKey = (resource: string, field: string, value: string | number): string =>
  `${resource}:${field}:${value}`

const listIndexes = (resource: Resource, operation: ListOperation): Index[] => {
  const { under = resource.under } = operation
  const owned = operation.path.includes(`{${under.param}}`)
  const base = [...(owned ? [under.field] : []), ...Object.keys(operation.where ?? {})]
  if (base.length === 0) return []
  const filters = Object.values(operation.filters).filter((filter) => filter.field !== 'id')
  return [
    { fields: base },
    ...operation.sorts.filter((sort) => sort !== 'id').map((sort): Index => ({ fields: base, sort })),
    ...filters.map((filter): Index => ({ fields: [...base, filter.field] })),
  ]
}

/** Returns every index that a resource's lists and look-ups need, each once. */
export const indexesOf = (resource: Resource): readonly Index[] => {
  const lists = Object.values(resource.operations).filter((operation) => operation.kind === 'list')
  const all = [...lists.flatMap((operation) => listIndexes(resource, operation)), ...(resource.documents.indexes ?? [])]
  return [...new Map(all.map((index) => [JSON.stringify([index.fields, index.sort ?? 'id']), index])).values()]
}

/** Returns the fields by which alone a resource's documents are looked up. */
export const lookupFields = (resource: Resource): readonly string[] =>
  (resource.documents.indexes ?? [])
    .filter(({ fields, sort }) => fields.length === 1 && !sort)
    .map(({ fields }) => fields[0]!)

/** Returns the collections that rules read although no resource fills them. */
const readElsewhere = (resources: readonly Resource[]): readonly string[] => {
  const filled = new Set(resources.map(({ name }) => name))
  return [...new Set(resources.flatMap(({ reads }) => reads ?? []))].filter((name) => !filled.has(name))
}

/** Returns the collections that hold the documents of these resources and tallies. */
export const collectionsOf = (
  resources: readonly Resource[],
  tallies: readonly Tally[] = [],
): readonly CollectionSpec[] => [
  ...resources.map((resource) => ({
    name: resource.name,
    ids: 'integer' as const,
    indexes: indexesOf(resource),
    ...(resource.documents.written && { written: resource.documents.written }),
  })),
  ...readElsewhere(resources).map((name) => ({ name, ids: 'integer' as const, indexes: [] })),
  ...tallies.flatMap(({ collections }) => collections),
  { name: TOMBSTONES, written: 'first', indexes: [] },
  { name: FORMER_KEYS, written: 'first', indexes: [{ fields: ['key'] }] },
]
