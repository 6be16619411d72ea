import type { TSchema } from 'typebox'
import type { Document } from '../kernel/ports/read-models.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'

/** Turns documents into responses. */
export interface View {
  /** Schema of the response, which is an object. */
  readonly schema: TSchema
  /** Parts that responses have only if `expand[]` names them; `inside`: deeper in the schema. */
  readonly expands?: Readonly<Record<string, TSchema | 'inside'>>
  present(document: Document, load: Loader, expand: ReadonlySet<string>): MaybePromise<JsonObject>
}

/** A record that has a file. */
export interface FileOf {
  readonly resource: string
  readonly id: number
  readonly workspaceId: number
}

/** Batched look-ups for views: calls that are made together become one query. */
export interface Loader {
  /** Whether personal data may be shown. If not, data of a person that other records show is blank. */
  readonly seesPersonalData: boolean
  one(resource: string, id: number | null | undefined): Promise<Document | undefined>
  many(resource: string, ids: readonly number[]): Promise<Document[]>
  /** Returns the documents whose `field` equals `value`, by ascending id, at most `first` of them. The resource must declare an index on `[field]`. */
  where(resource: string, field: string, value: number | string, first?: number): Promise<Document[]>
  /** Counts the documents with `value` in `field`. The resource must declare an index on `[field]`. */
  count(resource: string, field: string, value: number | string): Promise<number>
  /** Returns the time by the clock of a workspace, ISO 8601, the same at each call. A response that depends on it is not cached. */
  now(workspaceId: number): string
  /** Notes that a part is not shown in full, so that the answer says so. */
  cut(part: string): void
  /** Shows a record as its own endpoint would; blank if it is personal and personal data may not be shown. */
  present(resource: string, document: Document): Promise<JsonObject>
  /** Returns the document of a record that is gone as it was at last. */
  last(resource: string, id: number): Promise<Document | undefined>
  /** Shows a record as its own endpoint showed it at a past revision. If it was gone by then, shows its last state. */
  past(subject: PastSubject): Promise<JsonObject | undefined>
  /** Port of the public listener, at which this machine serves pages under its own host names; 0 if it is not known beforehand. */
  readonly listenerPort: number
  /** Returns a link to a file, which works for a limited time and without a token. A response with such a link is not cached. */
  download(file: FileOf): string
  /** Returns the address of a path of the public listener, which everybody may read. */
  publicUrl(path: string): string
  /** What is wrong with the links of mails that leave the house; `undefined`: nothing. */
  readonly linksWarning: string | undefined
  /** Opens a value sealed under a person's key; `null` if the person has been erased or personal data may not be shown. */
  open(person: number, sealed: string): MaybePromise<JsonObject | null>
  /** To be called between two steps of long work. Returns a promise, to be awaited, when the work has held the event loop for a while. */
  slice(): Promise<unknown> | undefined
}

/** A record at a revision of its stream. */
export interface PastSubject {
  readonly resource: string
  readonly id: number
  readonly stream: string
  readonly revision: number
  /** Revision whose predecessor is used if the record is missing at `revision`. */
  readonly goneFrom: number
  /** Time as of which all other records are read; ISO 8601. */
  readonly at: string
}
