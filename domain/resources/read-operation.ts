import type { TSchema } from 'typebox'
import type { FactReader } from '../kernel/decide/command.ts'
import type { AuthoredTexts } from '../kernel/ports/authored-texts.ts'
import type { ReactorStore } from '../kernel/ports/reactor-store.ts'
import type { Document, Where } from '../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'
import type { Refusal } from '../kernel/values/refusal.ts'
import type { Category } from '../kernel/values/scopes.ts'
import type { WithBody } from './body.ts'
import type { Caller, OperationBase, SelectInput } from './operation.ts'
import type { Loader } from './view-types.ts'

/** A read that is neither a list nor a single document. */
export interface ReadOperation extends OperationBase, WithBody {
  readonly kind: 'read'
  readonly schema: TSchema
  /** For a path that names no record but a code that belongs to no workspace; the read finds it by `params`. The text describes the code. */
  readonly byCode?: string
  /** Whether it can be read as of a past moment. Such a read uses its record and what it loads, or considers `asOf`. */
  readonly past?: boolean
  /** For a list in pages: pattern of the `id` of its items. The next page begins behind the id in `after`. */
  readonly pagedBy?: string
  /** Parameters of the query string that the read takes as they were sent, with their schemas. One with an object takes `name[key]=value`. */
  readonly query?: Readonly<Record<string, TSchema>>
  /** Parts that the answer has only if `expand[]` names them. */
  readonly expands?: readonly string[]
  /** Categories of the scope that a token needs by the value of a parameter; for any other value, that of the operation. */
  readonly categoryBy?: { readonly parameter: string; readonly categories: Readonly<Record<string, Category>> }
  /** Whether a rule may forbid what is asked for, so that the answer is 422. Requests that are malformed are 400. */
  readonly unprocessable?: boolean
  /** Number of requests of one token for one workspace that may be under way at once. Default: any. */
  readonly inFlight?: number
  /** Returns the answer. If the path has `{id}`, its record has been found and is within reach of the token. */
  read(input: ReadInput): Promise<JsonObject | Json[] | Refusal>
}

export interface ReadInput {
  readonly caller: Caller
  /** Address at which this API is reached. */
  readonly baseUrl: string
  /** Parameters of the path, as they were sent. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** Languages that the caller accepts, the preferred one first. */
  readonly locales: readonly string[]
  readonly document?: Document
  /** Parent named by the path, if there is one. */
  readonly owner?: Document
  /** Time by the clock of the workspace that the read concerns. */
  readonly at: string
  /** Moment of the past that was asked for; ISO 8601. The record and what is loaded are as they were then, what is read is as it is now. */
  readonly asOf?: string
  /** Query string, as it was sent. */
  readonly query: URLSearchParams
  /** Parts that `expand[]` names. */
  readonly expand: ReadonlySet<string>
  readonly load: Loader
  readonly read: FactReader
  /** Fields of the body. */
  readonly fields: JsonObject
  /** Counts documents by an index, without reading them. */
  readonly count: (collection: string, where: Where) => MaybePromise<number>
  /** Values in which records can be looked for, and filters that were sent. */
  readonly token: SelectInput['token']
  readonly open: SelectInput['open']
  readonly parseId: SelectInput['parseId']
  readonly unpack: SelectInput['unpack']
  /** Renders what an author wrote in Liquid. */
  readonly texts: Pick<AuthoredTexts, 'render'>
  /** Opens the personal data of a document. */
  openDocument(document: Document): Promise<Document>
  /** For lists in pages: number of items to return, one more than a page shows, and the id behind which to begin. */
  readonly page: { readonly after?: string; readonly limit: number }
  /** Source of dead letters and of refused commands of the background. */
  readonly reactorStore: Pick<ReactorStore, 'deadLetters' | 'refusals'>
  /** Returns an opaque token with a state. */
  pack(state: Json): string
  /** Returns the public spelling of an id. */
  publicId(id: number, kind: string): string
}
