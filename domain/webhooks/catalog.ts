import type { Publication } from '../kernel/publication.ts'
import type { Resource } from '../kernel/resource.ts'

/** A public event type with the resource that it is about. */
export interface EventType {
  /** `$contact.created`; the exact value for `event_type_ids`. */
  readonly key: string
  /** Its leading part: `contact`. */
  readonly topic: string
  readonly publication: Publication
  readonly resource: Resource
}

/** Every public event type that these resources declare, by key in order. */
export const eventTypesOf = (resources: readonly Resource[]): readonly EventType[] =>
  resources
    .flatMap((resource) =>
      Object.entries(resource.publishes ?? {}).map(([key, publication]) => ({
        key,
        topic: key.slice(1).split('.')[0]!,
        publication,
        resource,
      })),
    )
    .sort((a, b) => (a.key < b.key ? -1 : 1))

/** The types that an endpoint can subscribe to: all but those that are addressed to one endpoint. */
export const subscribable = (types: readonly EventType[]): readonly EventType[] =>
  types.filter(({ publication }) => !publication.addressed)

/** Every spelling that `event_type_ids` may hold: keys, and the contract's names for them. */
export const subscriptionKeys = (types: readonly EventType[]): readonly string[] => [
  ...types.map(({ key }) => key),
  ...types.flatMap(({ publication }) => publication.alias ?? []),
]

/** What is wrong with the declarations, all at once. */
export const eventTypeProblems = (types: readonly EventType[]): readonly string[] => {
  const problems: string[] = []
  const seen = new Set<string>()
  for (const { key, publication, resource } of types) {
    if (!/^\$[a-z_]+(\.[a-z_]+)+$/.test(key)) problems.push(`${key} does not have the form $topic.happened`)
    for (const name of [key, publication.alias ?? key]) {
      if (name !== key && seen.has(name)) problems.push(`${name} is declared twice`)
      seen.add(name)
    }
    for (const type of [...publication.on, ...(publication.unlessWith ?? [])]) {
      if (!(type in resource.aggregate.events)) problems.push(`${key} names ${type}, which ${resource.name} has not`)
    }
  }
  return problems
}
