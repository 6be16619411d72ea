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
 * Everything that Millrace knows of one kind of record, as one plain value, made by `serve` or one of the builders that stand
 * on it. Routes, documents, OpenAPI and access are derived from it by plain functions.
 */
export interface Resource {
  /** Name of the collection of its documents: `contacts/tag`. */
  readonly name: string
  /** Its title in the OpenAPI document: `Contacts::Tag`. */
  readonly title: string
  /** Key that wraps a body: `contacts_tag`. */
  readonly root: string
  readonly category: Category
  /** The owner that a collection path names. */
  readonly under: Owner
  /** The aggregate in whose streams its events are. Several resources may share one. */
  readonly aggregate: Decider
  readonly documents: Documents
  /** What its ids are counted with; default: its name. `timeOrdered` where no client ever names one. */
  readonly ids?: string
  /** Resource in whose public ids its records are spelled, where it shows records of another; default: itself. */
  readonly spelledAs?: string
  /** Kinds of the records that fields of its documents name by id. */
  readonly refersTo?: Readonly<Record<string, string>>
  readonly view: View
  /** By operation id. */
  readonly operations: Readonly<Record<string, Operation>>
  /** What a client reads when there is none; default `Not found: Record missing`. */
  readonly missing?: string
  /** Collections of other families that its rules look into; one that no resource fills is there, and empty. */
  readonly reads?: readonly string[]
  readonly timers?: Timers
  /**
   * Where its records show others: the field of its documents with the name of that resource. Whoever may not read that may not read them: lists
   * leave them out.
   */
  readonly subjectField?: string
  /** Public events that records of this resource are the subject of, by key. */
  readonly publishes?: Publications
  /** The file that a record stands for. */
  readonly file?: (document: Document) => StoredFile
  /** Id of the person whose personal data the record shows, if it shows any. */
  person?(document: Document): number | undefined
}

/** What is asked of the records of a resource by themselves, each when its time has come. */
export interface Timers {
  /** The place of the records in their parent's stream, for children. */
  readonly role: string | undefined
  /** First come first, each with the act that is asked then. */
  of(document: Document): readonly (DueTimer & { readonly act: string })[]
}

/** What the ids of a resource's records are counted with. */
export const kindOf = ({ name, ids = name }: Resource): string => ids

/** What the public ids of a resource's records are spelled as. */
export const spellingOf = ({ name, spelledAs = name }: Resource): string => spelledAs

/** How documents follow from events. */
export interface Documents {
  /** Raised whenever the documents for the same events would come out differently: they are then built anew. */
  readonly version: number
  /** What else they follow from, as far as it is data. */
  readonly declared?: Json
  /** Attributes that documents may lack, because they have their initial value then: each in words. */
  readonly attributes?: readonly string[]
  readonly fold: Fold
  /** Indexes beyond those that follow from the list operation. */
  readonly indexes?: readonly Index[]
  /** When they are written where not all can be at once; default: together with most. */
  readonly written?: WriteOrder
  /** Fields that hold keyed digests of personal values, so that documents can be found by them; of `null` once erased. */
  digests?(personal: JsonObject | null): Readonly<Record<string, Digest | null>>
  /** Id of the aggregate whose stream holds this entity's events; default: the entity's own id. */
  aggregateId?(document: Document): number
  /** Fields that follow from the streams of other aggregates, kept so that documents can be found by them. */
  readonly joined?: readonly Joined[]
}

/**
 * Fields of documents that events of another aggregate's streams set. They are no change of the record itself: revision and
 * times stay, and what is folded for a moment of the past does not have them. A document that is not there is passed over.
 */
export interface Joined {
  /** Name of the aggregate whose events these are. */
  readonly aggregate: string
  fields(event: RecordedEvent): readonly { readonly id: number; readonly set: JsonObject }[]
}

export interface Digest {
  readonly purpose: string
  readonly value: string
}

/** Aggregates of a list of resources, each once. */
export const aggregatesOf = (resources: readonly Resource[]): readonly Decider[] => [
  ...new Set(resources.map((resource) => resource.aggregate)),
]
