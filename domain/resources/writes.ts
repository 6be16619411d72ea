import type { RecordCommand } from '../kernel/decide/rules.ts'
import { claimOn } from '../kernel/model/claim.ts'
import type { CreationData } from '../kernel/model/event-types.ts'
import type { FieldTable, Values } from '../kernel/model/field.ts'
import type { Model } from '../kernel/model/model.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../kernel/values/maybe-promise.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import type { Operation, WriteInput, WriteOperation } from './operation.ts'

/** What an operation on a model is completed from. */
export interface Served {
  readonly model: Model
  /** The place of the model in that of its parent, for children. */
  readonly role: string | undefined
  /** Key that wraps a body. */
  readonly root: string
  /** The attribute that the owner in the path sets, where it is no workspace. */
  readonly ownedBy: string | undefined
}

/** An operation as it is declared: whole, or to be completed from the model that it is on, of whose records it asks an act. */
export type Declared<Inputs> = Completed | Operation | AsksOf<Inputs>

type AsksOf<Inputs> = { readonly [act in keyof Inputs & string]: Completed<act, Inputs[act]> }[keyof Inputs & string]

interface WriteOptions
  extends Partial<
    Pick<
      WriteOperation,
      | 'answers'
      | 'beyondContract'
      | 'body'
      | 'effects'
      | 'expanded'
      | 'followUps'
      | 'method'
      | 'ofTeam'
      | 'query'
      | 'reveals'
      | 'settled'
      | 'summary'
      | 'targets'
    >
  > {
  /** A unique attribute: the record that holds the value is changed instead. */
  readonly upsert?: string
  /** What is sent beside or instead of the attributes of the model, or is said of them otherwise here. */
  readonly input?: FieldTable
  /** Attributes of the model that this operation does not take. */
  readonly except?: readonly string[]
  /** What the record is asked for; default: what was sent. */
  wanted?(input: WriteInput): MaybePromise<JsonObject | Refusal>
  /** The event that a new record begins with, where there are several. */
  readonly as?: string
  /** How many ids are minted for children that the request may bring into being. */
  ids?(wanted: JsonObject): number
  /** What these children are; default: the first of the model's. */
  readonly idsOf?: { readonly name: string }
}

/** What clients may send of a model. */
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

const commandWith = (
  type: string,
  { role, ownedBy, model }: Served,
  options: WriteOptions,
  input: WriteInput,
  sent: JsonObject,
): RecordCommand => {
  const place = input.document ?? input.owner
  const owned = type === 'create' && ownedBy !== undefined && input.owner ? { [ownedBy]: input.owner.id } : undefined
  return {
    type: type === 'upsert' ? (input.exists ? 'change' : 'create') : type,
    id: input.id,
    ...(role !== undefined && { child: role }),
    ...(typeof place?.workspace_id === 'number' && { workspaceId: place.workspace_id }),
    wanted: owned ? { ...sent, ...owned } : sent,
    ...(options.as !== undefined && { as: options.as }),
    ...(options.ids && {
      ids: Array.from({ length: options.ids(sent) }, () => input.mint(options.idsOf ?? childOf(model))),
    }),
    at: input.at,
    actor: input.actor,
  }
}

const commandFor =
  (type: string, served: Served, options: WriteOptions) =>
  (input: WriteInput): MaybePromise<RecordCommand | Refusal> =>
    mapMaybe(options.wanted ? options.wanted(input) : input.fields, (sent) =>
      sent instanceof Refusal ? sent : commandWith(type, served, options, input, sent),
    )

const operationOptions = ({ input, except, wanted, as, ids, idsOf, upsert, ...rest }: WriteOptions) => rest

const upsertOf = ({ model }: Served, attribute: string): Pick<WriteOperation, 'upsert'> => {
  const unique = model.unique.find(({ attributes }) => attributes.includes(attribute))
  if (!unique) throw new Error(`${attribute} of ${model.name} is not unique`)
  return { upsert: { claim: ({ fields, owner }) => claimOn(model, unique, fields, Number(owner?.id)) } }
}

/** What a body of these fields holds: on `create` every field that cannot be `null` is there. */
type SentBy<F extends FieldTable, Mode> = Mode extends 'create' ? CreationData<Values<F>> : Partial<Values<F>>

/** Options of an act: what a request brings to it is what `wanted` makes of it, or else the fields of its body. */
interface AskOptions<F extends FieldTable, Mode, W> extends Omit<WriteOptions, 'body' | 'wanted'> {
  readonly body?: NonNullable<WriteOperation['body']> & { readonly fields: F; readonly mode: Mode }
  wanted?(input: WriteInput): MaybePromise<W | Refusal>
}

/** An operation to be completed from the model that it is on, of whose records it may ask an act. */
interface Completed<Act extends string = never, Sent = never> {
  (served: Served): Operation
  /** Only for the compiler. */
  readonly asks?: { readonly act: Act; readonly sent: Sent }
}

/** A write that asks `act` of a record, from what kinds of writes differ in; options of the operation win. */
const write =
  (
    path: string,
    act: string,
    options: WriteOptions,
    own: (served: Served) => Omit<WriteOperation, 'kind' | 'path' | 'command'>,
  ): ((served: Served) => WriteOperation) =>
  (served) => ({
    kind: 'write',
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

/** Makes a record below an owner: 201. */
export const creates = (path: string, options: WriteOptions = {}): Completed =>
  write(path, options.upsert === undefined ? 'create' : 'upsert', options, (served) => ({
    method: 'POST',
    on: 'owner',
    body: bodyOf(served, options, 'create'),
    answers: 201,
    ...(options.upsert !== undefined && upsertOf(served, options.upsert)),
  }))

/** Changes a record: 200. Served under PUT and PATCH alike; the contract's method is the one that is documented first. */
export const changes = (path: string, options: WriteOptions = {}): Completed =>
  write(path, 'change', options, (served) => ({
    method: 'PUT',
    on: 'record',
    body: bodyOf(served, options, 'change'),
    answers: 200,
  }))

/** Takes a record away: 204. */
export const removes = (path: string, options: WriteOptions = {}): Completed =>
  write(path, 'remove', options, () => ({ method: 'DELETE', on: 'record', answers: 204 }))

/** Asks an act of a record: 200 with the record, by POST unless said otherwise. */
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
