import type { Publication } from '../kernel/react/publication.ts'
import type { Resource } from '../resources/resource.ts'
import { CONTRACT_KEYS } from './contract-keys.ts'

/** A public event type with the resource that it is about. */
export interface EventType {
  /** `$contact.created`; the exact value for `event_type_ids`. */
  readonly key: string
  readonly publication: Publication
  readonly resource: Resource
}

/** Event type key of the contract. */
export interface ContractKey {
  readonly key: string
  readonly subject: string
  readonly about: string
}

const contractKeys: readonly ContractKey[] = Object.entries(CONTRACT_KEYS).flatMap(([subject, keys]) =>
  Object.entries(keys).map(([key, about]) => ({ key, subject, about })),
)

/** Returns every public event type that these resources declare, sorted by key. */
export const eventTypesOf = (resources: readonly Resource[]): readonly EventType[] =>
  resources
    .flatMap((resource) =>
      Object.entries(resource.publishes ?? {}).map(([key, publication]) => ({ key, publication, resource })),
    )
    .sort((a, b) => (a.key < b.key ? -1 : 1))

/** Returns the types that an endpoint can subscribe to: all except those addressed to one endpoint. */
export const subscribable = (types: readonly EventType[]): readonly EventType[] =>
  types.filter(({ publication }) => !publication.addressed)

/** Returns the types by alias, their name in the contract. */
export const byAlias = (types: readonly EventType[]): ReadonlyMap<string, EventType> =>
  new Map(types.flatMap((type) => (type.publication.alias === undefined ? [] : [[type.publication.alias, type]])))

/** Returns the keys of the contract that no type has as alias. An endpoint may subscribe to them, although nothing causes them yet. */
export const uncausedKeys = (types: readonly EventType[]): readonly ContractKey[] => {
  const named = byAlias(types)
  return contractKeys.filter(({ key }) => !named.has(key))
}

/** Returns every value that `event_type_ids` may hold: the keys of the types and those of the contract. */
export const subscriptionKeys = (types: readonly EventType[]): readonly string[] =>
  [...types, ...contractKeys].map(({ key }) => key)

/** Returns all problems of the declarations. */
export const eventTypeProblems = (types: readonly EventType[]): readonly string[] => {
  const problems: string[] = []
  const seen = new Set<string>()
  const known = new Set(contractKeys.map(({ key }) => key))
  for (const { key, publication, resource } of types) {
    const { alias = key } = publication
    if (!/^\$[a-z_]+(\.[a-z_]+)*$/.test(key))
      problems.push(`${key} does not have the form $topic.happened or $happened`)
    if (alias !== key && !known.has(alias))
      problems.push(`${key} has an alias that the contract does not know: ${alias}`)
    for (const name of [key, alias]) {
      if (name !== key && seen.has(name)) problems.push(`${name} is declared twice`)
      seen.add(name)
    }
    for (const type of [...publication.on, ...(publication.unlessWith ?? [])]) {
      if (!(type in resource.aggregate.events)) problems.push(`${key} names ${type}, which ${resource.name} has not`)
    }
  }
  return problems
}
