import type { TSchema } from 'typebox'
import type { Ask } from '../kernel/decide/ask.ts'
import type { Actor, Documents, FactReader } from '../kernel/decide/command.ts'
import type { RecordCommand } from '../kernel/decide/rules.ts'
import type { FieldTable } from '../kernel/model/field.ts'
import type { ExternalServices } from '../kernel/ports/external-services.ts'
import type { Document, Where } from '../kernel/ports/read-models.ts'
import type { Secrets } from '../kernel/ports/secrets.ts'
import type { Vault } from '../kernel/ports/vault.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import type { MintId } from '../kernel/values/ids.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'
import type { Refusal } from '../kernel/values/refusal.ts'
import type { Category, Level } from '../kernel/values/scopes.ts'
import type { WithBody } from './body.ts'
import type { Consequence, IsUnseen } from './consequence.ts'
import type { Owner } from './owner.ts'
import type { ReadOperation } from './read-operation.ts'
import type { Loader } from './view-types.ts'

/** An operation that clients can call on a resource, as plain data. */
export type Operation = ListOperation | ShowOperation | WriteOperation | ReadOperation

export interface OperationBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below /api/v2, with `{parameters}`. */
  readonly path: string
  readonly summary?: string
  /** Category and level of the scope that a token needs. Defaults: the resource's category; read for GET, write otherwise. */
  readonly category?: Category
  readonly level?: Level
  /** Whether it brings personal data into reach, so that a token needs the scope to read them as well. */
  readonly personal?: true
  /** The operation concerns all workspaces of the team, so a token for a single workspace is refused. */
  readonly ofTeam?: boolean
  /** Whether it is served although the contract does not have it. */
  readonly beyondContract?: boolean
  /** Parts that the answer has even when `expand[]` does not name them. */
  readonly expanded?: readonly string[]
  readonly consequence?: Consequence
  readonly isUnseen?: IsUnseen
}

export interface ListOperation extends OperationBase {
  readonly kind: 'list'
  readonly filters: Readonly<Record<string, Filter>>
  readonly sorts: readonly string[]
  /** Conditions that hold for every document of the list. */
  readonly where?: Where
  /** Returns conditions from the caller, for lists of an account that have no parent in the path. */
  ofCaller?(caller: Caller): Where
  /** Key of the object that wraps the array; without it the answer is the bare array. */
  readonly envelope?: string
  /** `never`: one answer with everything. `onRequest`: pages only if `after` is sent, where 0 means the beginning. Default: always pages. */
  readonly paged?: 'never' | 'onRequest'
  /** Parent of the list, where it differs from the parent of the resource's other operations. */
  readonly under?: Owner
  readonly select?: Selector
}

/** Query parameters that narrow a list by more than conditions on single fields: stored filters and their tokens. */
export interface Selector {
  /** Description of each parameter, by name. */
  readonly parameters: Readonly<Record<string, string>>
  /** Returns the selection that the list shows, or why it is refused. @param given the parameters that were sent, at least one */
  select(given: Readonly<Record<string, string>>, input: SelectInput): Promise<Selection | Refusal>
}

export interface SelectInput {
  readonly workspaceId: number
  readonly at: string
  readonly read: FactReader
  /** Returns the keyed digest of a personal value. */
  token(purpose: string, value: string): string
  /** Opens a value that was sealed under a key of the vault; `null` if the key has been destroyed. */
  open(subject: number, sealed: string): MaybePromise<JsonObject | null>
  parseId(value: unknown, kind: string): number | undefined
  /** Returns the state in a token that this service issued; `undefined` for any other text. */
  unpack(token: string): Json | undefined
}

export interface Selection {
  /** Conditions that every matching document meets, so that an index can be used. */
  readonly where: Where
  /** Records of another collection that lead to every matching document: those whose field `by` is one of the ids name it in the field `to`. */
  readonly through?: {
    readonly collection: string
    readonly by: string
    readonly ids: readonly number[]
    readonly to: string
  }
  /** Returns whether an opened document matches; absent if the conditions suffice. */
  test?(document: Document): boolean
  /** Returns opened documents with what the test needs to know from other records. */
  lookUp?(documents: readonly Document[], read: Documents): Promise<readonly Document[]>
  /** Whether the usual conditions of the whole list do not apply. */
  readonly beyond?: boolean
}

/** One key of `filter[…]`: how its values are read and which field of the documents they are compared with. */
export interface Filter {
  readonly type: 'id' | 'text' | 'flag' | 'digest'
  readonly field: string
  /** For `id`: resource of the ids; default: the resource that the field refers to. */
  readonly kind?: string
  /** For `digest`: purpose with which the digests of the field are made. */
  readonly purpose?: string
  readonly about?: string
  /** For `text`: the values that there are. Any other is refused. */
  readonly among?: readonly string[]
  /** For values that clients may spell in more than one way: returns the stored spelling. */
  keptAs?(text: string): string
}

export interface ShowOperation extends OperationBase {
  readonly kind: 'show'
}

export interface WriteOperation extends OperationBase, WithBody {
  readonly kind: 'write'
  /** What its command asks the record for: an act of its own, or to create, change, save or remove it. */
  readonly act: string
  /** Subject of `{…}` in the path: the owner of a record to create, the record to write to, or the owner of the only record of its kind, which has its id. */
  readonly on: 'owner' | 'record' | 'only'
  /** Parameter of the path that names the record. Default: `id`. */
  readonly names?: string
  /** Fields of the query string. */
  readonly query?: FieldTable
  /** 201 with a new record, 200 with a changed one, 202 if the work is done later, 204 without a body. */
  readonly answers: 200 | 201 | 202 | 204
  /** For 202: whether the work is done already; the answer is then 200. A refusal is the answer where it cannot be done. */
  settled?(document: Document): boolean | Refusal
  /** Finds an existing record to write to, by a claim that it holds, before a new one is created. */
  readonly upsert?: {
    claims(
      input: WriteInput,
    ): readonly { readonly scope: string; readonly value: string; readonly personal?: boolean }[]
    /** Returns the id of the record where no claim leads to it. */
    holder?(input: WriteInput): MaybePromise<number | undefined>
  }
  /**
   * Carries out commands that the request needs first and that hold personal data, so that they cannot follow it. Must be safe to repeat.
   *
   * @returns fields that replace those that were sent, or why the request is refused
   */
  prepare?(input: WriteInput, carryOut: (ask: Ask) => Promise<Refusal | undefined>): Promise<JsonObject | Refusal>
  /** Attributes of a new record that are made where they are not sent. One that another record takes meanwhile is made anew. */
  readonly makes?: Readonly<Record<string, (input: WriteInput) => MaybePromise<Json>>>
  /** Returns the command for the record's own stream, or why the whole request is refused. */
  command(input: WriteInput): MaybePromise<RecordCommand | Refusal>
  /** Returns the commands of the request for other streams (see follow-up.ts), or why it is refused. */
  followUps?(input: WriteInput, read: FactReader, command: RecordCommand): Promise<readonly Ask[] | Refusal>
  /** What the answer shows of the record. Default: the record as its resource shows it. */
  readonly shows?: Shown
  /** Whether the answer shows the record as it was before, for what ends it. */
  readonly showsBefore?: true
  /** What is answered where nothing is written. */
  readonly instead?: Instead
  /** Whether it keeps what it reads of other records. Then it is decided once all earlier writes are readable: an outdated text would stay. */
  readonly keepsWhatItReads?: true
  /** Effects to perform outside the log after the write; each must be safe to repeat. */
  readonly effects?: readonly Effect[]
  /** Secrets that only this answer shows besides the record. */
  readonly reveals?: ShownOnce
  /** Fields with addresses that Millrace will call. An address that can never be called is refused. */
  readonly targets?: readonly string[]
}

/** A view of a record besides the one of its resource. */
export interface Shown {
  readonly schema: TSchema
  /** @param pack returns an opaque token with a state */
  of(document: Document, load: Loader, pack: (state: Json) => string): MaybePromise<JsonObject>
}

/** An answer to a request that writes nothing: there is nothing to do, or it only asks. */
export interface Instead {
  readonly answers: 200 | 201
  readonly schema: TSchema
  /** Whether a request writes nothing, or why it is refused. A repeat under its key is answered as it was the first time. */
  when(input: WriteInput): MaybePromise<boolean | Refusal>
  of(input: WriteInput, pack: (state: Json) => string): MaybePromise<JsonObject | Refusal>
}

/** Secrets that are shown once, in the answer to the write that creates them. */
export interface ShownOnce {
  readonly schema: Readonly<Record<string, TSchema>>
  of(document: Document, secrets: Secrets): JsonObject
}

/** Names of the effects that a write can have outside the log. */
export type Effect = 'destroyKey'

export interface WriteInput {
  /** Id of the record to write to, or of the one to create. */
  readonly id: number
  /** Whether the record exists already. */
  readonly exists: boolean
  readonly fields: JsonObject
  /** The operation's own parameters in the query string. */
  readonly query: JsonObject
  /** Whether the values that were made before have been taken by another record. */
  readonly isMadeAnew?: boolean
  /** Everything that the client sent under the root, unknown fields included. */
  readonly sent: JsonObject
  readonly owner?: Document
  readonly document?: Document
  /** Documents that the reference fields name, by field. */
  readonly references: Readonly<Record<string, readonly Document[]>>
  readonly caller: Caller
  readonly actor: Actor
  readonly at: string
  readonly read: FactReader
  readonly external: ExternalServices
  /** Seals personal values that are stored elsewhere than with the person. */
  readonly vault: Pick<Vault, 'seal' | 'token'>
  /** Mints ids for other records that the command creates, by resource. */
  readonly mint: MintId
  /** Returns a random UUID. */
  uuid(): string
  /** Returns random letters and digits that cannot be guessed. */
  token(length: number): string
  /** Returns the id in an integer, digits or a public id of a resource; `undefined` if the value is none of these. */
  parseId(value: unknown, kind: string): number | undefined
  /** Returns the state in a token that this service issued; `undefined` for any other text. */
  unpack(token: string): Json | undefined
}

/** Returns the caller as events name it. */
export const actorOf = ({ tokenId, membershipId }: Caller): Actor => ({
  label: typeof tokenId === 'number' ? `key:${tokenId}` : tokenId,
  membershipId,
})

/** The caller, as identified by the token. */
export interface Caller {
  /** Under which its requests are counted and recorded: the number of an API key, or the kind and number of another sender, such as `connection:12`. */
  readonly tokenId: number | string
  readonly teamId: number
  /** The only workspace within reach; `null` for all workspaces of the team. */
  readonly workspaceId: number | null
  /** User that the token acts as, and its membership in the team: of an API key the team's agent, else a person. */
  readonly userId: number
  readonly membershipId: number
  readonly scopes: readonly string[]
  /** Platform application that acts for the user. */
  readonly applicationId?: number
  /** Whether the scopes allow the caller to see personal data. */
  readonly seesPersonalData: boolean
}
