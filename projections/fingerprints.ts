import { createHash } from 'node:crypto'
import { type Fingerprint, type Fingerprints, LEFT } from '../domain/kernel/ports/read-models.ts'
import { type Resource, spellingOf } from '../domain/resources/resource.ts'
import { indexesOf } from './collections.ts'

/** Raised when the projection itself changes what it writes for the same events and declarations. */
const PROJECTION_VERSION = 2

/** Of documents that several versions have folded. */
const MIXED = 'mixed'

const fingerprintOf = (resource: Resource): Fingerprint => {
  const { version, declared, attributes = [], joined = [] } = resource.documents
  const followsFrom = [
    PROJECTION_VERSION,
    resource.aggregate.name,
    spellingOf(resource),
    version,
    declared ?? null,
    joined.map(({ aggregate }) => aggregate),
  ]
  return {
    documents: createHash('sha256').update(JSON.stringify(followsFrom)).digest('hex').slice(0, 16),
    indexes: indexesOf(resource).map(({ fields, sort = 'id' }) => `${fields.join()} by ${sort}`),
    attributes,
  }
}

/** What the documents of each resource follow from. */
export const fingerprintsOf = (resources: readonly Resource[]): Fingerprints =>
  new Map(resources.map((resource) => [resource.name, fingerprintOf(resource)]))

/** What sets the live read models apart from the declarations of this version. */
export interface Difference {
  /** Collections that have to be built anew. */
  readonly changed: readonly string[]
  /** Why the old documents will not do until then; `undefined` where they will. */
  readonly unfit: string | undefined
  /** Whether nothing can be kept. */
  readonly isWhole: boolean
  /** What the live generation is to be said to be built from until then, where that is something else than now. */
  readonly until: Fingerprints | undefined
}

const hasAll = (some: readonly string[], all: readonly string[]): boolean => all.every((each) => some.includes(each))

const isSame = (before: Fingerprint | undefined, now: Fingerprint): boolean =>
  before !== undefined &&
  before.documents === now.documents &&
  before.indexes.length === now.indexes.length &&
  hasAll(before.indexes, now.indexes) &&
  hasAll(now.attributes, before.attributes)

/** @param built what the live generation was built from, if there is one */
export const differenceOf = (resources: readonly Resource[], built: Fingerprints | undefined): Difference => {
  const now = fingerprintsOf(resources)
  const changed = resources.filter(({ name }) => !isSame(built?.get(name), now.get(name)!))
  const isWhole = changed.length === resources.length
  const unfit = changed.flatMap((resource) => unfitOf(resource, resources, now, built) ?? [])[0]
  const names = changed.map(({ name }) => name)
  const until = untilThen(now, names, built)
  return {
    changed: names,
    unfit: isWhole ? 'nothing of what there is fits' : unfit,
    isWhole,
    until: JSON.stringify([...until]) === JSON.stringify([...(built ?? [])]) ? undefined : until,
  }
}

/**
 * What has only attributes added is as now; what is declared no more is not kept up from here on; and what has changed is followed by this
 * version on what another one has built, so that it is of neither.
 */
const untilThen = (now: Fingerprints, changed: readonly string[], built: Fingerprints | undefined): Fingerprints => {
  const until = new Map(built)
  for (const name of until.keys()) if (!now.has(name)) until.set(name, LEFT)
  for (const [name, fingerprint] of now) {
    const { indexes } = until.get(name) ?? fingerprint
    until.set(name, changed.includes(name) ? { documents: MIXED, indexes, attributes: [] } : fingerprint)
  }
  return until
}

/** Why lists, or what is folded on, would be wrong on the documents that there are. */
const unfitOf = (
  { name, aggregate }: Resource,
  resources: readonly Resource[],
  now: Fingerprints,
  built: Fingerprints | undefined,
): string | undefined => {
  const before = built?.get(name)
  if (before?.documents === LEFT.documents) return `${name} was not kept up`
  if (before) return hasAll(before.indexes, now.get(name)!.indexes) ? undefined : `${name} lacks an index`
  // What is new has no documents yet, but where its events were written for another resource.
  const isKnown = resources.some((other) => other.aggregate.name === aggregate.name && built?.has(other.name))
  return isKnown ? `${name} lacks its documents` : undefined
}
