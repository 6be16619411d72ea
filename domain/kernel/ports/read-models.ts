import type { Json, JsonObject } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/** A document of a read model. `id` is its key; fields are JSON. Documents may be shared, so neither stores nor callers change them. */
export interface Document extends JsonObject {
  readonly id: number | string
}

/** Conditions on one field: the subset of MongoDB's operators that every store must support. */
export type Condition =
  | Json
  | {
      readonly $in?: readonly Json[]
      readonly $nin?: readonly Json[]
      readonly $ne?: Json
      readonly $gt?: Json
      readonly $gte?: Json
      readonly $lt?: Json
      readonly $lte?: Json
      readonly $exists?: boolean
    }

/** Conditions that must all match. An array matches when one of its elements does, as in MongoDB. A field name with dots reaches into objects. */
export interface Where {
  readonly [field: string]: Condition
}

/** Place in an order. No document need be there any more. */
export interface Place {
  readonly id: number | string
  /** In an order by another field than the id: the value of that field. Default: as without a value. */
  readonly value?: Json
}

export interface Query {
  readonly where: Where
  /** Sort order. Default: ascending by id. The id is always the last sort key, in the same direction. */
  readonly sort?: { readonly by: string; readonly descending?: boolean }
  /** Place behind which to continue. An id alone is one only in an order by id: in any other the document may have moved, or be gone. */
  readonly after?: number | string | Place
  readonly limit?: number
}

/**
 * An index that a collection declares: equality on `fields`, in that order, then the order of `sort` (default: id alone),
 * then id. A field that holds an array has one entry per element (at most one such field per index).
 */
export interface Index {
  readonly fields: readonly string[]
  readonly sort?: string
}

/** Place of a collection when a batch is written in several steps. Collections without one come in between. */
export type WriteOrder = 'first' | 'last'

/** Declaration of a collection for a store. */
export interface CollectionSpec {
  readonly name: string
  /** Every id is an integer, which a store may use to its advantage. Default: any number or text. */
  readonly ids?: 'integer'
  /**
   * Place of the collection in stores that cannot write a batch atomically. `first`: documents that other documents leave behind. After a crash,
   * documents that are already stored are not processed again, so what they leave behind must be stored before them. `last`: documents which
   * report that others have changed, so that a reader then finds the others changed.
   */
  readonly written?: WriteOrder
  readonly indexes: readonly Index[]
}

/** Change of one document. */
export interface Change {
  readonly collection: string
  readonly id: number | string
  /** New content; `null` removes the document. */
  readonly document: Document | null
  /** Hint that the document did not exist before, so that a store need not look for it. */
  readonly isNew?: boolean
  /** Position of the newest event in it. A store never replaces a document by an older one, so applying a change twice is harmless. */
  readonly position: number
}

/** Documents derived from the log. Every implementation passes test/infra/read-models.contract.ts. */
export interface ReadModels {
  get(collection: string, id: number | string): MaybePromise<Document | undefined>
  /** Returns documents in the order of `ids`, with `undefined` for unknown ids. */
  getMany(collection: string, ids: readonly (number | string)[]): MaybePromise<(Document | undefined)[]>
  /** Returns the documents that match. @throws {Error} when no declared index serves the query, which is a programming error */
  find(collection: string, query: Query): MaybePromise<Document[]>
  /** Returns the number of matches. Stops counting at `atMost` if it is given. */
  count(collection: string, where: Where, atMost?: number): MaybePromise<number>
  /**
   * Applies all changes and the checkpoint, or nothing.
   *
   * @param touched further collections that the events may have changed: a batch that a crash has cut off finds documents written already
   */
  apply(changes: readonly Change[], checkpoint: number, touched?: readonly string[]): Promise<void>
  /** Returns the position of the last applied event, or -1. */
  checkpoint(): MaybePromise<number>
}

/** Description of everything that determines the documents of a collection. */
export interface Fingerprint {
  /** Digest that changes when the same events would give different documents. */
  readonly documents: string
  /** Description of each index. */
  readonly indexes: readonly string[]
  /** Description of each attribute with its default. An added attribute shows its default, so it changes no stored document. */
  readonly attributes: readonly string[]
}

/** Fingerprints by collection. */
export type Fingerprints = ReadonlyMap<string, Fingerprint>

/** Fingerprint of a collection that was built once and is no longer updated. */
export const UNMAINTAINED: Fingerprint = { documents: '', indexes: [], attributes: [] }

/** A generation of read models that is built beside the live one. */
export interface Rebuild extends ReadModels {
  /**
   * Position up to which at least the collections that were carried over are complete, or -1. The checkpoint begins at -1 nevertheless: up to this
   * position only the other collections are filled, and after it all of them.
   */
  readonly carriedOver: number
  /** Prepares taking over. Called when all but the newest events are applied, while the live generation is still being written. */
  ready(): Promise<void>
  /** Makes this the live generation, atomically for readers, and drops the one before. @throws {Error} while the checkpoint is before `carriedOver` */
  takeOver(): Promise<void>
  /** Drops this generation. */
  abandon(): Promise<void>
}

/** Options of a rebuild. */
export interface RebuildOptions {
  /** Names of the collections to carry over from the live generation unchanged. Default: none. */
  readonly carryOver?: readonly string[]
  /** Aborts carrying over, which may take a while. */
  readonly signal?: AbortSignal
}

/** Live read models that only this process changes, so that results derived from them can be cached. */
export interface WatchedReadModels {
  /** Calls the listener with changes once they can be read, before `apply` resolves; with `undefined` when any document may have changed. */
  watch(listener: (changes: readonly Change[] | undefined) => void): void
  /** Returns the ids of the documents that `find` would return, at lower cost. */
  findIds(collection: string, query: Query): MaybePromise<(number | string)[]>
}

/** When collections of the live generation last changed, as of one moment. */
export interface LastChanges {
  /** Number of the generation. Positions of different ones cannot be compared. */
  readonly generation: number
  /** Returns the position of the newest change of these collections, or -1. */
  positionOf(collections: Iterable<string>): number
}

/** Store for generations of read models. */
export interface ReadModelStore {
  /** The live generation. It stays valid when another generation takes over, and shows that one from then on. */
  readonly live: ReadModels
  /** The same generation, if no other process writes to it. */
  readonly watched?: WatchedReadModels
  /**
   * Where other processes write too: returns when collections last changed, by one cheap query after the call. All changes up to the checkpoint are
   * in it. Resolves to `undefined` where they are not known, since an earlier version writes the documents.
   */
  lastChanges?(): Promise<LastChanges | undefined>
  /**
   * Subscribes to the progress of the live read models when another process writes them. Resolves to `undefined` if the store cannot report it.
   *
   * @param onProgress called with the position that was reached, or without one when something has changed that may mean progress
   * @param onEnd called when the subscription ends without having been closed
   */
  news?(onProgress: (position?: number) => void, onEnd: () => void): Promise<{ close(): Promise<void> } | undefined>
  /** Returns the known fingerprints of the live generation; `undefined` when none was ever built. */
  fingerprints(): MaybePromise<Fingerprints | undefined>
  /** Replaces the fingerprints of the live generation, when its documents need no rebuild. */
  note(fingerprints: Fingerprints): Promise<void>
  /**
   * Begins a generation for these declarations and drops an unfinished one. It is empty except for the collections `carryOver`, which are copied
   * from the live generation unchanged.
   */
  rebuild(fingerprints: Fingerprints, options?: RebuildOptions): Promise<Rebuild>
  close(): Promise<void>
}
