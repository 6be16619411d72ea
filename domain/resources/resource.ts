import type { Decider } from '../kernel/decide/decider.ts'
import type { DueTimer } from '../kernel/model/due.ts'
import type { Fold } from '../kernel/model/fold.ts'
import type { Document, Index, WriteOrder } from '../kernel/ports/read-models.ts'
import type { Publications } from '../kernel/react/publication.ts'
import type { Json, JsonObject, RecordedEvent } from '../kernel/values/event.ts'
import type { Category } from '../kernel/values/scopes.ts'
import type { StoredFile } from './attributes/stored-file.ts'
import type { Operation } from './operation.ts'
import type { Owner } from './owner.ts'
import type { View } from './view-types.ts'

/**
 * Everything that Millrace knows about one kind of record, as a plain value. It is built by `serve` or by a builder on top of it. Routes, documents,
 * OpenAPI and access are derived from it by plain functions.
 */
export interface Resource {
  /** Name of the collection of its documents: `contacts/tag`. */
  readonly name: string
  /** Title in the OpenAPI document: `Contacts::Tag`. */
  readonly title: string
  /** Key that wraps the fields of a body: `contacts_tag`. */
  readonly root: string
  readonly category: Category
  /** Owner named by the path of the collection. */
  readonly under: Owner
  /** A record is missing as soon as its owner is, although it is removed only later: a policy takes it along. */
  readonly goesWithOwner?: true
  /** Aggregate whose streams hold its events. Several resources may share one. */
  readonly aggregate: Decider
  readonly documents: Documents
  /** Counter of its ids; default: its name. `timeOrdered` where clients never send an id. */
  readonly ids?: string
  /** Resource whose public ids its records use, where it shows records of another resource; default: itself. */
  readonly spelledAs?: string
  /** Resources whose ids the fields of its documents hold, by field. */
  readonly refersTo?: Readonly<Record<string, string>>
  readonly view: View
  /** Operations by operation id. */
  readonly operations: Readonly<Record<string, Operation>>
  /** Message to a client that asks for a missing record; default `Not found: Record missing`. */
  readonly missing?: string
  /** Collections of other families that its rules read. A collection that no resource fills exists and is empty. */
  readonly reads?: readonly string[]
  readonly timers?: Timers
  /**
   * For records that show records of other resources: field of their documents with the name of the other resource. A token that may not read that
   * resource may not read these records either, and lists leave them out.
   */
  readonly subjectField?: string
  /** Public events about records of this resource, by key. */
  readonly publishes?: Publications
  /** Returns the file of a record. */
  readonly file?: (document: Document) => StoredFile
  /** Returns the id of the person whose personal data the record shows; `undefined` if it shows none. */
  person?(document: Document): number | undefined
}

/** Timers of the records of a resource. Each asks its record for an act when it is due. */
export interface Timers {
  /** Role of the records among the children of their parent; `undefined` if they have no parent. */
  readonly role: string | undefined
  /** Field of the records with the id of their parent, after which the stream is named; `undefined` if they have none. */
  readonly owner: string | undefined
  /** Types of the events that may change when they are due. */
  readonly movedBy: readonly string[]
  /** Returns the timers of a record with their acts, the earliest first. */
  of(document: Document): readonly (DueTimer & { readonly act: string })[]
  /** Tells whether something that a timer began is under way, where that may be. Late timers of the same stream wait until it is over. */
  isUnderWay?(document: Document): boolean
}

/** Returns the name of the counter of a resource's ids. */
export const idCounterOf = ({ name, ids = name }: Resource): string => ids

/** Returns the name of the resource whose public ids the records of a resource use. */
export const publicIdResourceOf = ({ name, spelledAs = name }: Resource): string => spelledAs

/** Declaration of the documents of a resource, which follow from its events. */
export interface Documents {
  /** To be raised whenever the same events give other documents: they are then rebuilt. */
  readonly version: number
  /** Further data from which the documents follow. */
  readonly declared?: Json
  /** Attributes that documents may lack, because they then have their initial value; each as its name and that value. */
  readonly attributes?: readonly string[]
  readonly fold: Fold
  /** Indexes in addition to those that the list operation needs. */
  readonly indexes?: readonly Index[]
  /** Order of their writes in a store that cannot write a batch at once; default: between `first` and `last`. */
  readonly written?: WriteOrder
  /** Returns the values from which blind indexes are made, to find documents by. @param personal `null` once the person has been erased */
  digests?(personal: JsonObject | null): Readonly<Record<string, Digest | null>>
  /** Returns the id of the aggregate whose stream holds the events of the document; default: the id of the document. */
  aggregateId?(document: Document): number
  /** Fields that follow from streams of other aggregates, stored so that documents can be found by them. */
  readonly joined?: readonly Joined[]
}

/**
 * Fields of documents that are set by events of another aggregate. They do not change the record itself: its revision stays, its times stay unless
 * `updated_at` is among the fields, and a record folded for a past moment lacks them. An update of a missing document is skipped.
 */
export interface Joined {
  /** Name of the aggregate whose events set the fields. */
  readonly aggregate: string
  fields(event: RecordedEvent): readonly { readonly id: number; readonly set: JsonObject }[]
}

export interface Digest {
  readonly purpose: string
  readonly value: string
}

/** Returns the aggregates of a list of resources, each once. */
export const aggregatesOf = (resources: readonly Resource[]): readonly Decider[] => [
  ...new Set(resources.map((resource) => resource.aggregate)),
]
