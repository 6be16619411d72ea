import type { Json, JsonObject } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/** A document of a read model. `id` is its key; fields are JSON. It may be shared: nobody changes one that was given or taken. */
export interface Document extends JsonObject {
  readonly id: number | string
}

/** Conditions on one field: the named subset of MongoDB's operators that every store must serve. */
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

/** All fields must match. A field whose value is an array matches when one element does, as in MongoDB. Dots reach into objects. */
export interface Where {
  readonly [field: string]: Condition
}

export interface Query {
  readonly where: Where
  /** Default: ascending by id. The id is always the last key of the order, in the same direction. */
  readonly sort?: { readonly by: string; readonly descending?: boolean }
  /** Continue behind the document with this id, in the given order. */
  readonly after?: number | string
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

/** In this order, and what has none in between. */
export type WriteOrder = 'first' | 'last'

/** What a store must know of a collection before it can hold it. */
export interface CollectionSpec {
  readonly name: string
  /** Where every id is an integer, which a store may put to use. Default: any number or text. */
  readonly ids?: 'integer'
  /**
   * When a store writes it that cannot write a batch at once. `first`, what documents of other collections leave behind: a document that is there
   * already is not looked at again, whatever a crash cut off. `last`, what says that others have been changed: whoever reads that finds them so.
   */
  readonly written?: WriteOrder
  readonly indexes: readonly Index[]
}

/** One document as it is to stand after the change; `null` takes it away. */
export interface Change {
  readonly collection: string
  readonly id: number | string
  readonly document: Document | null
  /** Whether there was none before, as far as whoever applies it knows: a hint, by which a store may save itself looking. */
  readonly isNew?: boolean
  /** Position of the newest event in it. A store never replaces a document by an older one, so that applying twice changes nothing. */
  readonly position: number
}

/** Documents derived from the log (design 6). Every implementation passes test/infra/read-models.contract.ts. */
export interface ReadModels {
  get(collection: string, id: number | string): MaybePromise<Document | undefined>
  /** In the order of `ids`; unknown ids give `undefined`. */
  getMany(collection: string, ids: readonly (number | string)[]): MaybePromise<(Document | undefined)[]>
  /** @throws {Error} when no declared index serves the query: that is a mistake of the program, found by its tests. */
  find(collection: string, query: Query): MaybePromise<Document[]>
  /** Number of matches; stops counting at `atMost` where given. */
  count(collection: string, where: Where, atMost?: number): MaybePromise<number>
  /** All changes and the checkpoint, or nothing. */
  apply(changes: readonly Change[], checkpoint: number): Promise<void>
  /** Position of the last event that is applied, or -1. */
  checkpoint(): MaybePromise<number>
}

/** What the documents of one collection follow from. */
export interface Fingerprint {
  /** Another one whenever the same events would give other documents. */
  readonly documents: string
  /** Each index, in words. */
  readonly indexes: readonly string[]
  /** Each attribute with its default, in words: one that is added shows its default, and changes no document. */
  readonly attributes: readonly string[]
}

/** By collection. */
export type Fingerprints = ReadonlyMap<string, Fingerprint>

/** Of a collection that was built once and is not kept up any more. */
export const LEFT: Fingerprint = { documents: '', indexes: [], attributes: [] }

/** Read models in the making beside the live ones. */
export interface Rebuild extends ReadModels {
  /**
   * Position up to which at least the collections that were kept have everything, or -1. The checkpoint begins at -1 nevertheless: up to here only
   * the others are filled, and from here on all.
   */
  readonly carriedOver: number
  /** Does what can be done before taking over: called when all but the newest events are in, while the live ones are still being written. */
  ready(): Promise<void>
  /** Makes this the live generation, atomically for readers, and drops the one before. @throws {Error} before the checkpoint has come to `kept` */
  takeOver(): Promise<void>
  /** Drops what was built. */
  abandon(): Promise<void>
}

export interface CarryOver {
  readonly carryOver?: readonly string[]
  /** Gives up taking them over, which may take a while. */
  readonly signal?: AbortSignal
}

/** Live read models all of whose changes go through this process, so that what follows from them can be kept. */
export interface Watched {
  /** Calls the listener with changes when they can be read, before whoever applied them goes on; without any when all may be other than before. */
  watch(listener: (changes: readonly Change[] | undefined) => void): void
  /** Ids of what `find` would give, for less. */
  findIds(collection: string, query: Query): MaybePromise<(number | string)[]>
}

/** Where generations of read models are kept. */
export interface ReadModelStore {
  /** The live generation. Stays valid over a swap: it always shows the newest generation that took over. */
  readonly live: ReadModels
  /** The same, where nobody else writes to them. */
  readonly watched?: Watched
  /**
   * Tells of positions that the live read models reach by other processes, as they do; without one, of anything that may have to do with that.
   * Gives nothing where the store cannot tell.
   *
   * @param ended told when nothing more is heard, unless it was closed
   */
  news?(heard: (position?: number) => void, ended: () => void): Promise<{ close(): Promise<void> } | undefined>
  /** What the live generation was built from, as far as it is known; `undefined` when nothing was ever built. */
  fingerprints(): MaybePromise<Fingerprints | undefined>
  /** Says anew what the live generation is built from, where that makes no difference to its documents. */
  note(fingerprints: Fingerprints): Promise<void>
  /**
   * Begins a generation for these declarations, dropping an unfinished one. It is empty but for the collections `keep`, which are taken over
   * from the live generation as they are.
   */
  rebuild(fingerprints: Fingerprints, options?: CarryOver): Promise<Rebuild>
  close(): Promise<void>
}
