import type { TSchema } from 'typebox'
import type { Document } from '../kernel/ports/read-models.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'

/** How a document becomes a response. */
export interface View {
  /** Schema of the response, an object. */
  readonly schema: TSchema
  /** Parts that are only there when asked for with `expand[]`; `inside`: the schema has them further down. */
  readonly expands?: Readonly<Record<string, TSchema | 'inside'>>
  present(document: Document, load: Loader, expand: ReadonlySet<string>): MaybePromise<JsonObject>
}

/** The file that a record stands for. */
export interface FileOf {
  readonly resource: string
  readonly id: number
  readonly workspaceId: number
}

/** Batched look-ups for views: calls made together become one query each. */
export interface Loader {
  /** Whether personal data may be shown; without them, what other records carry of a person is blank. */
  readonly seesPersonalData: boolean
  one(resource: string, id: number | null | undefined): Promise<Document | undefined>
  many(resource: string, ids: readonly number[]): Promise<Document[]>
  /** Documents whose `field` equals `value`, by ascending id, perhaps only the first; the resource must declare an index on `[field]`. */
  where(resource: string, field: string, value: number | string, first?: number): Promise<Document[]>
  /** How many documents have `value` in `field`; the resource must declare an index on `[field]`. */
  count(resource: string, field: string, value: number | string): Promise<number>
  /** The time at a workspace, ISO 8601, the same for as long as the loader is used; what goes by it is not kept. */
  now(workspaceId: number): string
  /** Remembers that a part is not shown whole: the answer says so. */
  cut(part: string): void
  /** A record as its own endpoint would show it; blank where it is personal and that may not be shown. */
  present(resource: string, document: Document): Promise<JsonObject>
  /** A record as its own endpoint showed it at a moment of the past; as it last was, when it was gone by then. */
  past(subject: PastSubject): Promise<JsonObject | undefined>
  /** Port at which this machine serves names of its own; 0 where nobody knows it beforehand. */
  readonly listenerPort: number
  /** A link to a file, for a while and without a token; what shows one is not kept. */
  download(file: FileOf): string
  /** The address of what everybody may look at, below the public listener. */
  publicUrl(path: string): string
  /** What was sealed under a person's key; `null` when the person has been erased, or personal data may not be shown. */
  open(person: number, sealed: string): MaybePromise<JsonObject | null>
}

/** A record at a revision of the stream that it lives in. */
export interface PastSubject {
  readonly resource: string
  readonly id: number
  readonly stream: string
  readonly revision: number
  /** A revision before this one still had the record, if the one above has not. */
  readonly goneFrom: number
  /** Everything else is looked at as of this time; ISO 8601. */
  readonly at: string
}
