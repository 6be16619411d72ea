import type { RecordCommand } from '../kernel/decide/rules.ts'
import { claimsOn } from '../kernel/model/claim.ts'
import type { CreationData } from '../kernel/model/event-types.ts'
import type { FieldTable, Values } from '../kernel/model/field.ts'
import type { Model } from '../kernel/model/model.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../kernel/values/maybe-promise.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import type { Operation, WriteInput, WriteOperation } from './operation.ts'
import { workspaceOf } from './workspace-of.ts'

/** Facts about a model with which its operations are completed. */
export interface Served {
  readonly model: Model
  /** Role of the model among the children of its parent; `undefined` if it has no parent. */
  readonly role: string | undefined
  /** Key that wraps the fields of a body. */
  readonly root: string
  /** Attribute that the owner in the path sets, unless the owner is a workspace. */
  readonly ownedBy: string | undefined
}

/** An operation as it is declared: complete, or a function that completes it from its model. It may ask records of the model for an act. */
export type Declared<Inputs> = Completed | Operation | AsksOf<Inputs>

type AsksOf<Inputs> = { readonly [act in keyof Inputs & string]: Completed<act, Inputs[act]> }[keyof Inputs & string]

export interface WriteOptions
  extends Partial<Omit<WriteOperation, 'kind' | 'act' | 'path' | 'on' | 'upsert' | 'command' | 'category'>> {
  /** Unique attribute. If a record holds its value already, that record is changed and none is created. */
  readonly upsert?: string
  /** Returns the record of an upsert that is not found by its claims. */
  holder?(input: WriteInput): MaybePromise<number | undefined>
  /** Fields that are sent beside the attributes of the model, or that replace attributes of the same name. */
  readonly input?: FieldTable
  /** Attributes of the model that this operation does not accept. */
  readonly except?: readonly string[]
  /** Returns the input of the command, or why there is none; default: the fields that were sent. */
  wanted?(input: WriteInput): MaybePromise<JsonObject | Refusal>
  /** For a child: the model of its root, where a claim on its attributes tells the stream. The request begins the stream if it is not there. */
  readonly into?: Model
  /** Event with which a new record begins, if several can begin one. */
  readonly as?: string
  /** Returns the number of ids to mint for children that the request may create. */
  ids?(wanted: JsonObject): number
  /** Model of these children; default: the model's first kind of children. */
  readonly idsOf?: { readonly name: string }
}

/** Returns the fields of a model that clients may send. */
export const sentFields = ({ attributes }: Model, { input = {}, except = [] }: WriteOptions = {}): FieldTable => ({
  ...Object.fromEntries(
    Object.entries(attributes).filter(([name, { role }]) => role !== 'managed' && !except.includes(name)),
  ),
  ...input,
})

const childOf = ({ name, children }: Model): Model => {
  const [child] = Object.values(children)
  if (!child) throw new Error(`${name} has no children to mint ids for`)
  return child.model
}

/** Returns the creation of the root that a child is made in: it has the attributes that tell one root from another. */
const beginning = (root: Model, { mint }: WriteInput, wanted: JsonObject) => ({
  id: mint(root),
  wanted: Object.fromEntries(
    root.unique.flatMap(({ attributes }) => attributes).map((name) => [name, wanted[name] ?? null]),
  ),
})

const commandWith = (
  type: string,
  { role, ownedBy, model }: Served,
  options: WriteOptions,
  input: WriteInput,
  sent: JsonObject,
): RecordCommand => {
  const workspaceId = (input.document ?? input.owner)?.workspace_id
  const makes = type === 'create' || (type === 'upsert' && !input.exists)
  const owned = makes && ownedBy !== undefined && input.owner ? { [ownedBy]: input.owner.id } : undefined
  return {
    type: type === 'upsert' ? (input.exists ? 'change' : 'create') : type,
    id: input.id,
    ...(role !== undefined && { child: role }),
    ...(typeof workspaceId === 'number' && { workspaceId }),
    wanted: owned ? { ...sent, ...owned } : sent,
    ...(options.as !== undefined && { as: options.as }),
    ...(options.into && { begins: beginning(options.into, input, { ...sent, ...owned }) }),
    ...(options.ids && {
      ids: Array.from({ length: options.ids(sent) }, () => input.mint(options.idsOf ?? childOf(model))),
    }),
    at: input.at,
    actor: input.actor,
  }
}

/** Whether a field was not sent, so that its value is made. */
export const isUnsent = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** Returns what is wanted of a record with the values that are made where none are sent. */
const withMade = ({ makes }: WriteOptions, input: WriteInput, sent: JsonObject): MaybePromise<JsonObject> => {
  const unsent = Object.entries(makes ?? {}).filter(([name]) => isUnsent(sent[name]))
  if (unsent.length === 0) return sent
  return Promise.all(unsent.map(async ([name, make]) => [name, await make(input)] as const)).then((made) => ({
    ...sent,
    ...Object.fromEntries(made),
  }))
}

const commandFor =
  (type: string, served: Served, options: WriteOptions) =>
  (input: WriteInput): MaybePromise<RecordCommand | Refusal> =>
    mapMaybe(options.wanted ? options.wanted(input) : input.fields, (sent) =>
      sent instanceof Refusal
        ? sent
        : mapMaybe(withMade(options, input, sent), (whole) => commandWith(type, served, options, input, whole)),
    )

const operationOptions = ({ input, except, wanted, as, into, ids, idsOf, upsert, holder, ...rest }: WriteOptions) =>
  rest

const upsertOf = (
  { model, ownedBy }: Served,
  attribute: string,
  holder: WriteOptions['holder'],
): Pick<WriteOperation, 'upsert'> => {
  const unique = model.unique.find(({ attributes }) => attributes.includes(attribute))
  if (!unique) throw new Error(`${attribute} of ${model.name} is not unique`)
  const claims = (input: WriteInput) => {
    const values = ownedBy === undefined ? input.fields : { ...input.fields, [ownedBy]: Number(input.owner?.id) }
    return claimsOn(model, unique, values, workspaceOf(input))
  }
  return { upsert: { claims, ...(holder && { holder }) } }
}

/** Values in a body of these fields. With `create`, every field that cannot be `null` is there. */
type SentBy<F extends FieldTable, Mode> = Mode extends 'create' ? CreationData<Values<F>> : Partial<Values<F>>

/** Options of an act. Its input is the result of `wanted`, or else the fields of the body. */
interface AskOptions<F extends FieldTable, Mode, W> extends Omit<WriteOptions, 'body' | 'wanted'> {
  readonly body?: NonNullable<WriteOperation['body']> & { readonly fields: F; readonly mode: Mode }
  wanted?(input: WriteInput): MaybePromise<W | Refusal>
}

/** A function that completes an operation from its model. The operation may ask records of the model for an act. */
export interface Completed<Act extends string = never, Sent = never> {
  (served: Served): Operation
  /** Only for the compiler. */
  readonly asks?: { readonly act: Act; readonly sent: Sent }
}

/** Builds a write that asks a record for `act`. @param own properties in which kinds of writes differ; `options` override them */
const write =
  (
    path: string,
    act: string,
    options: WriteOptions,
    own: (served: Served) => Omit<WriteOperation, 'kind' | 'act' | 'path' | 'command'>,
  ): ((served: Served) => WriteOperation) =>
  (served) => ({
    kind: 'write',
    act,
    path,
    ...own(served),
    ...operationOptions(options),
    command: commandFor(act, served, options),
  })

const bodyOf = ({ root, model }: Served, options: WriteOptions, mode: 'create' | 'change') => ({
  root,
  fields: sentFields(model, options),
  mode,
})

/** Declares the creation of a record below an owner: 201. What follows from it is what its fields say, unless `options` say more. */
export const creates = (path: string, options: WriteOptions = {}): Completed =>
  write(path, options.upsert === undefined ? 'create' : 'upsert', options, (served) => ({
    method: 'POST',
    on: 'owner',
    body: bodyOf(served, options, 'create'),
    consequence: null,
    answers: 201,
    ...(options.upsert !== undefined && upsertOf(served, options.upsert, options.holder)),
  }))

/** Builds a write of fields to a record that may keep the others. */
const keepsRest =
  (act: string, on: WriteOperation['on']) =>
  (path: string, options: WriteOptions = {}): Completed =>
    write(path, act, options, (served) => ({
      method: 'PUT',
      on,
      body: bodyOf(served, options, 'change'),
      consequence: null,
      answers: 200,
    }))

/** Declares a change of a record: 200. Served under PUT and PATCH alike; the contract's method is documented first. */
export const changes = keepsRest('change', 'record')

/** Declares a write to the record of which its owner has one, with the owner's id: 200. The first write begins the record. */
export const saves = keepsRest('save', 'only')

/** Declares the removal of a record: 204. */
export const removes = (path: string, options: WriteOptions = {}): Completed =>
  write(path, 'remove', options, () => ({
    method: 'DELETE',
    on: 'record',
    consequence: 'removes or ends something',
    answers: 204,
  }))

/** Declares an act of a record: 200 with the record, by POST unless `options` say otherwise. Every act says its consequence. */
export const asks = <
  const Act extends string,
  F extends FieldTable = Record<never, never>,
  Mode extends 'create' | 'change' = 'create',
  W = never,
>(
  path: string,
  act: Act,
  options?: AskOptions<F, Mode, W>,
): Completed<Act, NoInfer<[W] extends [never] ? SentBy<F, Mode> : W>> =>
  write(path, act, { ...options } as WriteOptions, () => ({ method: 'POST', on: 'record', answers: 200 }))
