import type { TSchema } from 'typebox'
import type { Ask } from '../kernel/decide/ask.ts'
import type { Actor, FactReader } from '../kernel/decide/command.ts'
import type { RecordCommand } from '../kernel/decide/rules.ts'
import type { FieldTable } from '../kernel/model/field.ts'
import type { ExternalServices } from '../kernel/ports/external-services.ts'
import type { ReactorStore } from '../kernel/ports/reactor-store.ts'
import type { Document, Where } from '../kernel/ports/read-models.ts'
import type { Secrets } from '../kernel/ports/secrets.ts'
import type { Vault } from '../kernel/ports/vault.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import type { MintId } from '../kernel/values/ids.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'
import type { Refusal } from '../kernel/values/refusal.ts'
import type { Category, Level } from '../kernel/values/scopes.ts'
import type { Owner } from './owner.ts'
import type { Loader } from './view-types.ts'

/** What clients can ask of a resource, each kind as plain data. */
export type Operation = ListOperation | ShowOperation | WriteOperation | ReadOperation | ActionOperation

interface OperationBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v2, with `{parameters}`. */
  readonly path: string
  readonly summary?: string
  /** Defaults: the resource's category; read for GET, write otherwise. */
  readonly category?: Category
  readonly level?: Level
  /** It concerns all workspaces of the team: a token of one alone does not do. */
  readonly ofTeam?: boolean
  /** Served although the contract does not have it. */
  readonly beyondContract?: boolean
  /** Parts that are there without being asked for with `expand[]`. */
  readonly expanded?: readonly string[]
}

export interface ListOperation extends OperationBase {
  readonly kind: 'list'
  readonly filters: Readonly<Record<string, Filter>>
  readonly sorts: readonly string[]
  /** Conditions that hold for every document of the list. */
  readonly where?: Where
  /** Conditions from the caller instead of from a parent in the path: for lists of an account. */
  ofCaller?(caller: Caller): Where
  /** Key of the object that wraps the array; without it the answer is the bare array. */
  readonly envelope?: string
  /** `never`: all at once. `onRequest`: all at once unless `after` is sent, where 0 means the beginning. Default: always. */
  readonly paged?: 'never' | 'onRequest'
  /** Below another parent than the resource's other operations. */
  readonly under?: Owner
  readonly select?: Selector
}

/** Query parameters that narrow a list by more than conditions on single fields: stored filters and their tokens. */
export interface Selector {
  /** Names, and what each is. */
  readonly parameters: Readonly<Record<string, string>>
  /** What was sent of them, at least one, to what the list then shows. */
  select(given: Readonly<Record<string, string>>, input: SelectInput): Promise<Selection | Refusal>
}

export interface SelectInput {
  readonly workspaceId: number
  readonly at: string
  readonly read: FactReader
  /** The keyed digest of a personal value. */
  token(purpose: string, value: string): string
  /** What was sealed under a key of the vault; `null` when that has been destroyed. */
  open(subject: number, sealed: string): MaybePromise<JsonObject | null>
  parseId(value: unknown, kind: string): number | undefined
  /** The state in a token that this service gave out; `undefined` when it is none. */
  unpack(token: string): Json | undefined
}

export interface Selection {
  /** Conditions that every document meets which passes the test: they let an index serve. */
  readonly where: Where
  /** Says of an opened document whether it is meant; absent when the conditions say it all. */
  test?(document: Document): boolean
  /** The conditions that otherwise hold for the whole list do not. */
  readonly beyond?: boolean
}

/** One key of `filter[…]`: how its values are read and which field of the documents they are compared with. */
export interface Filter {
  readonly type: 'id' | 'text' | 'flag' | 'digest'
  readonly field: string
  /** For `id`: what it is an id of, where the resource does not say. */
  readonly kind?: string
  /** For `digest`: the purpose that the field's digests were made with. */
  readonly purpose?: string
  readonly about?: string
  /** For `text` that clients may spell in more than one way: how it is kept. */
  keptAs?(text: string): string
}

export interface ShowOperation extends OperationBase {
  readonly kind: 'show'
}

/** A read that is neither a list nor a single document. */
export interface ReadOperation extends OperationBase {
  readonly kind: 'read'
  readonly schema: TSchema
  /** What the path names is no record, and nobody's: the read finds it by `params`. Says what it is named by. */
  readonly byCode?: string
  /** It can be read as of a moment of the past: it looks at nothing but its record and what it loads. */
  readonly past?: boolean
  /** It is a list, shown a page at a time: its items have an `id` of this pattern, behind which the next page begins. */
  readonly pagedBy?: string
  /** The record named by `{id}`, if the path has one, has been found and is within reach. */
  read(input: ReadInput): Promise<JsonObject | Json[] | Refusal>
}

export interface ReadInput {
  readonly caller: Caller
  /** Address under which this API is reached. */
  readonly baseUrl: string
  /** What the path names, as it was sent. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** The languages that the caller reads, the most wanted first. */
  readonly locales: readonly string[]
  readonly document?: Document
  /** The parent that the path names, if it names one. */
  readonly owner?: Document
  /** By the clock of the workspace that it is about. */
  readonly at: string
  readonly load: Loader
  readonly read: FactReader
  /** Where it is paged: how many items to give, one more than a page shows, and behind which id. */
  readonly page: { readonly after?: string; readonly limit: number }
  /** What happens later writes down here what it gave up, and what was refused. */
  readonly reactorStore: Pick<ReactorStore, 'deadLetters' | 'refusals'>
  /** A state as an opaque token. */
  pack(state: Json): string
  /** An id in its public spelling. */
  publicId(id: number, kind: string): string
}

/** A request that is neither a look at records nor a write of one. */
export interface ActionOperation extends OperationBase {
  readonly kind: 'call'
  readonly body?: WriteOperation['body']
  readonly schema: TSchema
  readonly answers: 200 | 201 | 202
  call(input: ActionInput): Promise<JsonObject | Refusal>
}

export interface ActionInput
  extends Omit<ReadInput, 'page' | 'reactorStore' | 'params' | 'locales'>,
    Pick<WriteInput, 'fields' | 'sent' | 'actor' | 'at' | 'mint' | 'uuid' | 'parseId' | 'vault'> {
  /** Carries out a command on a new or known instance, and waits until what came of it can be read. */
  transact(asked: Ask): Promise<Refusal | undefined>
  readonly external: ExternalServices
}

export interface WriteOperation extends OperationBase {
  readonly kind: 'write'
  /** What `{…}` names: nothing yet (a new record is made below its owner), or the record that is written to. */
  readonly on: 'owner' | 'record'
  readonly body?: {
    /** Key that wraps the fields; `null`: they are the body itself, which may then be left out. */
    readonly root: string | null
    readonly fields: FieldTable
    readonly mode: 'create' | 'change'
    /** The body may be left out although it has a root. */
    readonly optional?: boolean
  }
  /** What may be sent in the query string. */
  readonly query?: FieldTable
  /** 201 with the record for a new one, 200 for a changed one, 202 where what was asked for comes later, 204 without a body. */
  readonly answers: 200 | 201 | 202 | 204
  /** For 202: whether it has come already; the answer is 200 then. */
  settled?(document: Document): boolean
  /** Finds a record to write to instead of making one: by a claim that it holds. */
  readonly upsert?: {
    claim(
      input: WriteInput,
    ): { readonly scope: string; readonly value: string; readonly personal?: boolean } | undefined
  }
  /** What is asked of the record's own stream; or why the request is refused as a whole. */
  command(input: WriteInput): MaybePromise<RecordCommand | Refusal>
  /** What the request asks of other streams besides (see follow-up.ts), or why it is refused. */
  followUps?(input: WriteInput, read: FactReader, command: RecordCommand): Promise<readonly Ask[] | Refusal>
  /** What must be done beyond the log when the write is in it; must be safe to repeat. */
  readonly effects?: readonly Effect[]
  /** What this answer alone shows besides the record. */
  readonly reveals?: ShownOnce
  /** Fields that hold addresses which Millrace is to call; refused when they can never be called. */
  readonly targets?: readonly string[]
}

/** Secrets that are shown once: in the answer to the write that makes them. */
export interface ShownOnce {
  readonly schema: Readonly<Record<string, TSchema>>
  of(document: Document, secrets: Secrets): JsonObject
}

/** Named effects of a write that the outside performs. */
export type Effect = 'destroyKey'

export interface WriteInput {
  /** Of the record written to, or of the one to be made. */
  readonly id: number
  /** Whether the record is there already. */
  readonly exists: boolean
  readonly fields: JsonObject
  /** What the query string holds of the operation's own parameters. */
  readonly query: JsonObject
  /** All that the client sent under the root, known or not. */
  readonly sent: JsonObject
  readonly owner?: Document
  readonly document?: Document
  /** Documents that reference fields point at, by field. */
  readonly references: Readonly<Record<string, readonly Document[]>>
  readonly caller: Caller
  readonly actor: Actor
  readonly at: string
  readonly read: FactReader
  readonly external: ExternalServices
  /** Seals what is personal and not kept with the person. */
  readonly vault: Pick<Vault, 'seal' | 'token'>
  /** Ids for what the command makes besides, by kind. */
  readonly mint: MintId
  /** A random UUID. */
  uuid(): string
  /** Letters and digits that nobody can guess. */
  token(length: number): string
  /** An id given as integer, digits or public id of a kind; `undefined` when it is none. */
  parseId(value: unknown, kind: string): number | undefined
  /** The state in a token that this service gave out; `undefined` when it is none. */
  unpack(token: string): Json | undefined
}

/** Who calls, as established by the token. */
export interface Caller {
  readonly tokenId: number
  readonly teamId: number
  /** The only workspace within reach; `null`: all of the team's. */
  readonly workspaceId: number | null
  /** The agent user that the token acts as, and its membership of the team. */
  readonly userId: number
  readonly membershipId: number
  readonly scopes: readonly string[]
  /** Whether they allow to see personal data. */
  readonly seesPersonalData: boolean
}
