import type { Collection, Db } from 'mongodb'
import type { Fingerprints, LastChanges } from '../../../domain/kernel/ports/read-models.ts'
import { isMissing } from '../../mongodb/failures.ts'
import { retryUpsert } from '../../mongodb/upserting.ts'

/** Numbers of the live generation and of the last one begun, which is being built while it is not live. */
export interface Pointer {
  readonly last: number
  readonly live?: number
  /** Time at which the live generation took over, in milliseconds since 1970. */
  readonly since?: number
}

interface PointerRow extends Pointer {
  readonly _id: string
  readonly position?: number
  /** The same position, if the version that wrote it noted the changes of collections. */
  readonly noted?: number
  /** Position of the newest change by collection, and by `EVERY` of any. */
  readonly changed?: Readonly<Record<string, number>>
  /** Single fingerprint of all collections, as old versions wrote it. */
  readonly fingerprint?: string
  /** Fingerprints that a generation was built from, as JSON. */
  readonly fingerprints?: string
}

const COLLECTION = 'read_models'
const POINTER = 'pointer'
const NAME = /^g(\d+):/

const table = (db: Db): Collection<PointerRow> => db.collection<PointerRow>(COLLECTION)

/** Returns the collection with the pointer and the checkpoints, for watching it. */
export const pointerTable = (db: Db): Collection => db.collection(COLLECTION)

/** Returns the generation whose checkpoint has this id, `undefined` for the pointer. */
export const generationOf = (id: string): number | undefined => (id === POINTER ? undefined : Number(id.slice(1)))

/** Stands for every collection. No collection has this name. */
const EVERY = '*'

/** Returns the field for a collection. Some characters have a meaning in names of fields. */
const fieldFor = (collection: string): string => collection.replace(/[.$]/g, '_')

const changesAt = (collections: Iterable<string>, position: number): Record<string, number> =>
  Object.fromEntries([...collections].map((name) => [`changed.${fieldFor(name)}`, position]))

const checkpointOf = (generation: number): string => `g${generation}`

/** Returns the name of a collection of a generation. */
export const collectionIn = (generation: number, name: string): string => `g${generation}:${name}`

export const readPointer = async (db: Db): Promise<Pointer> =>
  (await table(db).findOne({ _id: POINTER })) ?? { last: 0 }

/** Begins a generation, in place of one that is being built. Returns its number. */
export const begin = async (db: Db): Promise<number> => {
  const options = { upsert: true, returnDocument: 'after' } as const
  const begun = await retryUpsert(() => table(db).findOneAndUpdate({ _id: POINTER }, { $inc: { last: 1 } }, options))
  return begun!.last
}

/** Makes a generation live, in a single write. Returns false when a newer one has been begun since. */
export const takeOver = async (db: Db, generation: number, now: number): Promise<boolean> => {
  // Old versions with a single fingerprint would take this generation for one that they know.
  const change = { $set: { live: generation, since: now }, $unset: { fingerprint: '' as const } }
  return (await table(db).updateOne({ _id: POINTER, last: generation }, change)).matchedCount === 1
}

/** Returns the fingerprints that a generation was built from. Empty where they are not known. */
export const readFingerprints = async (db: Db, generation: number): Promise<Fingerprints> => {
  const row = await table(db).findOne({ _id: checkpointOf(generation) })
  return new Map(row?.fingerprints === undefined ? [] : JSON.parse(row.fingerprints))
}

export const writeFingerprints = async (db: Db, generation: number, fingerprints: Fingerprints): Promise<void> => {
  const change = { $set: { fingerprints: JSON.stringify([...fingerprints]) } }
  await retryUpsert(() => table(db).updateOne({ _id: checkpointOf(generation) }, change, { upsert: true }))
}

/** Returns the position of the last event that is in a generation, or -1. */
export const readCheckpoint = async (db: Db, generation: number): Promise<number> =>
  (await table(db).findOne({ _id: checkpointOf(generation) }, { projection: { position: 1 } }))?.position ?? -1

/** Step of a checkpoint, and what it brings. */
export interface CheckpointMove {
  /** Position that this process wrote last; `undefined` for none. */
  readonly from: number | undefined
  readonly to: number
  readonly changed: Iterable<string>
}

/**
 * Moves the checkpoint of a generation forward, never back, and notes which collections have changed. If somebody else has moved it since, which may
 * have been a version that notes nothing, every collection counts as changed.
 */
export const writeCheckpoint = async (
  db: Db,
  generation: number,
  { from, to, changed }: CheckpointMove,
): Promise<void> => {
  const notes = { position: to, noted: to, ...changesAt(changed, to) }
  if (from !== undefined) {
    const { matchedCount } = await table(db).updateOne(
      { _id: checkpointOf(generation), position: from },
      { $max: notes },
    )
    if (matchedCount === 1) return
  }
  const all = { ...notes, ...changesAt([EVERY], to) }
  const filter = { _id: checkpointOf(generation) }
  await retryUpsert(() => table(db).updateOne(filter, { $max: all }, { upsert: true }))
}

/** Returns when collections of a generation last changed; `undefined` where that was not noted. */
export const readLastChanges = async (db: Db, generation: number): Promise<LastChanges | undefined> => {
  const projection = { position: 1, noted: 1, changed: 1 }
  const row = await table(db).findOne({ _id: checkpointOf(generation) }, { projection })
  if (!row?.changed || row.noted !== row.position) return undefined
  const { changed } = row
  const positionOf = (collections: Iterable<string>) =>
    Math.max(...[EVERY, ...collections].map((name) => changed[fieldFor(name)] ?? -1))
  return { generation, positionOf }
}

/** Drops generations that are no longer read: abandoned ones at once, formerly live ones after `graceMs`. */
export const sweep = async (db: Db, now: number, graceMs: number): Promise<void> => {
  const { live = 0, last, since = now } = await readPointer(db)
  // A generation that was begun after the pointer was read has a number above `last`.
  const isKept = (generation: number) =>
    generation === live || generation >= last || (generation < live && now < since + graceMs)
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    const generation = Number(NAME.exec(name)?.[1] ?? last)
    if (!isKept(generation)) await drop(db, name)
  }
  const checkpoints = table(db).find({ _id: { $ne: POINTER } }, { projection: { _id: 1 } })
  const stale = (await checkpoints.toArray()).map(({ _id }) => _id).filter((id) => !isKept(Number(id.slice(1))))
  if (stale.length > 0) await table(db).deleteMany({ _id: { $in: stale } })
}

/** Drops the collections and the checkpoint of a generation. */
export const dropGeneration = async (db: Db, generation: number): Promise<void> => {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.startsWith(collectionIn(generation, ''))) await drop(db, name)
  }
  await table(db).deleteOne({ _id: checkpointOf(generation) })
}

const drop = async (db: Db, name: string): Promise<void> => {
  try {
    await db.dropCollection(name)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
