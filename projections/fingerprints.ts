import { createHash } from 'node:crypto'
import type { Index } from '../domain/kernel/ports/read-models.ts'
import { type Fingerprint, type Fingerprints, UNMAINTAINED } from '../domain/kernel/ports/read-models.ts'
import type { Json } from '../domain/kernel/values/event.ts'
import { publicIdResourceOf, type Resource } from '../domain/resources/resource.ts'
import type { Tally } from '../domain/resources/tally.ts'
import { indexesOf } from './collections.ts'

/** Increased when the projection itself begins to write other documents for the same events and declarations. */
const PROJECTION_VERSION = 2

/** Fingerprint of documents that several versions have folded. */
const MIXED = 'mixed'

const fingerprintOf = (resource: Resource): Fingerprint => {
  const { version, declared, attributes = [], joined = [] } = resource.documents
  const inputs = [
    PROJECTION_VERSION,
    resource.aggregate.name,
    publicIdResourceOf(resource),
    version,
    declared ?? null,
    joined.map(({ aggregate }) => aggregate),
  ]
  return { documents: digestOf(inputs), indexes: described(indexesOf(resource)), attributes }
}

const digestOf = (inputs: Json): string =>
  createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16)

const described = (indexes: readonly Index[]): readonly string[] =>
  indexes.map(({ fields, sort = 'id' }) => `${fields.join()} by ${sort}`)

/** Returns the fingerprints of a tally's collections. They have one version, because they are rebuilt together. */
const ofTally = ({ name, version, aggregates, collections }: Tally): readonly (readonly [string, Fingerprint])[] => {
  const documents = digestOf(['tally', name, version, aggregates])
  return collections.map((one) => [one.name, { documents, indexes: described(one.indexes), attributes: [] }])
}

/** Returns the fingerprint of each collection's documents. */
export const fingerprintsOf = (resources: readonly Resource[], tallies: readonly Tally[] = []): Fingerprints =>
  new Map([
    ...resources.map((resource) => [resource.name, fingerprintOf(resource)] as const),
    ...tallies.flatMap(ofTally),
  ])

/** Difference between the live read models and the declarations of this version. */
export interface Difference {
  /** Collections that must be rebuilt. */
  readonly changed: readonly string[]
  /** Reason for which the old documents cannot be used until the rebuild; `undefined` when they can. */
  readonly unfit: string | undefined
  /** Whether no collection can be carried over. */
  readonly isWhole: boolean
  /** Fingerprints to note for the live generation until the rebuild; `undefined` when they are noted already. */
  readonly until: Fingerprints | undefined
}

const hasAll = (some: readonly string[], all: readonly string[]): boolean => all.every((each) => some.includes(each))

const isSame = (before: Fingerprint | undefined, now: Fingerprint): boolean =>
  before !== undefined &&
  before.documents === now.documents &&
  before.indexes.length === now.indexes.length &&
  hasAll(before.indexes, now.indexes) &&
  hasAll(now.attributes, before.attributes)

/** Compares the declarations with the live generation. @param built its fingerprints, if there is one */
export const differenceOf = (
  resources: readonly Resource[],
  built: Fingerprints | undefined,
  tallies: readonly Tally[] = [],
): Difference => {
  const now = fingerprintsOf(resources, tallies)
  const isChanged = ({ name }: { readonly name: string }) => !isSame(built?.get(name), now.get(name)!)
  const changed = resources.filter(isChanged)
  const tallied = tallies.filter(({ collections }) => collections.some(isChanged)).flatMap((one) => one.collections)
  const names = [...changed, ...tallied].map(({ name }) => name)
  const isWhole = names.length === now.size
  const unfit = [
    ...changed.flatMap((resource) => unfitOf(resource, resources, now, built) ?? []),
    ...tallied.flatMap(({ name }) => outdatedOf(name, now, built) ?? []),
  ][0]
  const until = fingerprintsUntilRebuild(now, names, built)
  return {
    changed: names,
    unfit: isWhole ? 'nothing of what there is fits' : unfit,
    isWhole,
    until: JSON.stringify([...until]) === JSON.stringify([...(built ?? [])]) ? undefined : until,
  }
}

/**
 * Returns the fingerprints of the live generation until the rebuild. A collection with nothing but new attributes has the present fingerprint.
 * One that is no longer declared is marked as left, because nothing updates it from now on. A changed one is marked as mixed: this version folds
 * events into documents that another version built.
 */
const fingerprintsUntilRebuild = (
  now: Fingerprints,
  changed: readonly string[],
  built: Fingerprints | undefined,
): Fingerprints => {
  const until = new Map(built)
  for (const name of until.keys()) if (!now.has(name)) until.set(name, UNMAINTAINED)
  for (const [name, fingerprint] of now) {
    const { indexes } = until.get(name) ?? fingerprint
    until.set(name, changed.includes(name) ? { documents: MIXED, indexes, attributes: [] } : fingerprint)
  }
  return until
}

/** Returns the reason for which lists or further folding would be wrong on the existing documents, if there is one. */
const unfitOf = (
  { name, aggregate }: Resource,
  resources: readonly Resource[],
  now: Fingerprints,
  built: Fingerprints | undefined,
): string | undefined => {
  if (built?.has(name)) return outdatedOf(name, now, built)
  // A new resource has no documents yet, unless its events were written for another resource.
  const isKnown = resources.some((other) => other.aggregate.name === aggregate.name && built?.has(other.name))
  return isKnown ? `${name} lacks its documents` : undefined
}

/** Returns the reason for which a collection that was built cannot be used, if there is one. */
const outdatedOf = (name: string, now: Fingerprints, built: Fingerprints | undefined): string | undefined => {
  const before = built?.get(name)
  if (before?.documents === UNMAINTAINED.documents) return `${name} was not kept up`
  return before && !hasAll(before.indexes, now.get(name)!.indexes) ? `${name} lacks an index` : undefined
}
