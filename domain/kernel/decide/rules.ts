import type { Values } from '../model/field.ts'
import type { Model, RecordOf } from '../model/model.ts'
import type { Document, Query } from '../ports/read-models.ts'
import type { EventOf, JsonObject } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'
import type { Refusal } from '../values/refusal.ts'
import type { Actor, Command, FactReader } from './command.ts'

/** A command on a record of a model. JSON: those that requests still have to carry out are kept in the log. */
export interface RecordCommand extends Command {
  /** `create`, `change`, `remove`, or the name of an act of the record. */
  readonly type: string
  /** Of the record; for a child beside the place that it has in its parent's model. */
  readonly id: number
  readonly child?: string
  readonly workspaceId?: number
  /** Attributes that are wanted, and whatever else the act goes by. */
  readonly wanted: JsonObject
  /** The event that a new record begins with, where there are several. */
  readonly as?: string
  /** Ids for children that may come into being. */
  readonly ids?: readonly number[]
}

/** The records of one stream. */
export interface StreamRecords {
  /** Whether anything has happened in the stream, be its record gone by now. */
  readonly began: boolean
  one<M extends Model>(model: M, id: number): RecordOf<M> | undefined
  /** The one that the stream is named after. */
  root<M extends Model>(model: M): RecordOf<M> | undefined
  /** In the order in which they came. */
  all<M extends Model>(model: M): readonly RecordOf<M>[]
}

/**
 * What is asked of a record, as rules see it.
 *
 * @typeParam Extra What came with the request beside the attributes
 */
export interface DecisionContext<M extends Model = Model, Extra = unknown> {
  /** `create`, `change`, `remove`, or the name of an act. */
  readonly act: string
  readonly id: number
  /** 0 for what belongs to no workspace. */
  readonly workspaceId: number
  readonly at: string
  readonly actor: Actor
  /** The record as it is; absent while it is being created. */
  readonly before: RecordOf<M> | undefined
  /** What was sent of the attributes, and what came beside them; absent keys are to be left alone. */
  readonly wanted: Partial<Values<M['attributes']>> & Partial<Extra>
  /** The attributes as they are going to be, as far as the rules before have settled. */
  readonly after: Values<M['attributes']>
  readonly ids: readonly number[]
  readonly records: StreamRecords
  /** Only for the compiler. */
  readonly extra?: Extra
}

/** What is asked of a record that is there. */
export type ActContext<M extends Model, Extra = unknown> = Omit<DecisionContext<M>, 'before' | 'wanted'> & {
  readonly before: RecordOf<M>
  readonly wanted: ActInput<M, Extra>
}

/** What an act goes by: attributes that may be there, and everything of its own, which is. */
export type ActInput<M extends Model, Own> = Omit<Partial<Values<M['attributes']>>, keyof Own> & Own

/** Events of the streams that a model's records are in. */
export type Events<M extends Model> = readonly EventOf<M['stream']>[]

/** Attributes that are to be otherwise, events beside those that follow from attributes, why not, or nothing. */
export type RuleResult<M extends Model> = Partial<Values<M['attributes']>> | Events<M> | Refusal | undefined

/** One thing that the business asks of a record. */
export type Rule<M extends Model, F, Extra = unknown> = (asked: DecisionContext<M, Extra>, facts: F) => RuleResult<M>

/** What is asked of a record that is there, and what comes of it: events, or why not. A method, so that it may count on what it goes by. */
export type Act<M extends Model, F, Extra = unknown> = {
  act(asked: ActContext<M, Extra>, facts: F): Events<M> | Refusal
}['act']

/** Context of a record that begins in a way of its own, with everything that this way goes by. */
export type BirthContext<M extends Model, Input> = DecisionContext<M> & { readonly wanted: Input }

/** One rule for a record that begins in a way of its own. A method, so that it may count on its input. */
export type BirthRule<M extends Model, F, Input> = {
  rule(context: BirthContext<M, Input>, facts: F): RuleResult<M>
}['rule']

/** Read access to records of other streams, typed by their models; personal attributes stay sealed. */
export interface Reader {
  one<M extends Model>(model: M, id: number | null | undefined): MaybePromise<RecordOf<M> | undefined>
  many<M extends Model>(model: M, ids: readonly number[]): MaybePromise<readonly RecordOf<M>[]>
  find<M extends Model>(model: M, query: Query): MaybePromise<readonly RecordOf<M>[]>
  /** Collections that no model stands for. */
  readonly documents: FactReader
}

/** Names of the timers of a model. */
type TimerOf<M extends Model> = M['timers'][number]['name']

/**
 * What the business asks of records of one model. Rules are pure; what they need from elsewhere is loaded before, by `needs`.
 *
 * @typeParam Sent What comes beside the attributes when they are set
 * @typeParam Acts What each act goes by, beside the attributes
 */
export interface RulesSpec<M extends Model, F, Sent, Acts, Births> {
  loadFacts?(asked: DecisionContext<M, Sent>, read: Reader): Promise<F> | F
  /** When attributes are set, on creation and on change, in this order. */
  readonly save?: readonly Rule<M, F, Sent>[]
  /** Instead of what the event table makes of a creation, a change or a removal. */
  readonly create?: (asked: DecisionContext<M, Sent>, facts: F) => Events<M> | Refusal
  /** Other ways in which a record begins than `create`, by name: each has rules of its own in place of `save`. */
  readonly births?: { readonly [birth in keyof Births]: readonly BirthRule<M, F, Births[birth]>[] }
  readonly change?: Act<M, F, Partial<Sent>>
  readonly remove?: Act<M, F, Partial<Sent>>
  /** Before a record is removed: why it cannot be. */
  readonly preventRemoval?: (asked: ActContext<M, Partial<Sent>>, facts: F) => Refusal | undefined
  /** What is asked beside setting attributes, by name. */
  readonly acts?: { readonly [act in keyof Acts]: Act<M, F, Acts[act]> }
  /** Acts that what has ended still takes. */
  readonly allowedAfterEnd?: readonly (keyof Acts | 'change' | 'remove')[]
  /** What is asked when the time of a timer has come: it moves what is due, or ends it. */
  readonly timers?: { readonly [timer in TimerOf<M>]: keyof Acts }
}

/** What a record is asked by name, and what each goes by. */
export type ActInputs = object

/** What every record takes. */
export type RecordInputs<M extends Model, Sent = unknown> = {
  readonly create: Partial<Values<M['attributes']>> & Partial<Sent>
  readonly change: Partial<Values<M['attributes']>> & Partial<Sent>
  readonly remove: Partial<Sent>
}

type InputsOfActs<M extends Model, Acts> = {
  readonly [act in keyof Acts]: ActInput<M, Acts[act]>
}

/** Rules as deciding goes by them, of whatever model, on facts that are their own affair. */
export interface AnyRules {
  loadFacts?(asked: DecisionContext, read: Reader): unknown
  readonly save?: readonly ((asked: DecisionContext, facts: unknown) => RuleResult<Model>)[]
  readonly create?: (asked: DecisionContext, facts: unknown) => Events<Model> | Refusal
  readonly births?: Readonly<Record<string, AnyRules['save'] & {}>>
  readonly change?: AnyAct
  readonly remove?: AnyAct
  readonly preventRemoval?: (asked: ActContext<Model>, facts: unknown) => Refusal | undefined
  readonly acts?: Readonly<Record<string, AnyAct>>
  readonly allowedAfterEnd?: readonly string[]
  readonly timers?: Readonly<Record<string, string>>
}

type AnyAct = (asked: ActContext<Model>, facts: unknown) => Events<Model> | Refusal

/** The rules of one model, and what its records take. */
export interface Rules<Name extends string = string, T extends ActInputs = ActInputs> extends AnyRules {
  readonly of: { readonly name: Name }
  /** Only for the compiler. */
  readonly inputs?: T
}

/** The rules of a model, in one value. */
export const rules = <
  M extends Model,
  F = undefined,
  Sent = unknown,
  Acts extends object = Record<never, never>,
  Births extends object = Record<never, never>,
>(
  of: M,
  spec: RulesSpec<NoInfer<M>, F, Sent, Acts, Births>,
): Rules<M['name'], RecordInputs<M, Sent> & InputsOfActs<M, Acts> & InputsOfActs<M, Births>> => ({
  of,
  ...(spec as unknown as AnyRules),
})

const isPresent = <T>(value: T | undefined): value is T => value !== undefined

/** Typed read access over documents: a record is its document. */
export const readerOver = (documents: FactReader): Reader => {
  const as = <M extends Model>(found: Document | undefined) => found as RecordOf<M> | undefined
  const whole = <M extends Model>(found: readonly (Document | undefined)[]) =>
    found.map((one) => as<M>(one)).filter(isPresent)
  return {
    documents,
    async one(model, id) {
      return id === null || id === undefined ? undefined : as(await documents.get(model.name, id))
    },
    async many(model, ids) {
      return ids.length === 0 ? [] : whole(await documents.getMany(model.name, ids))
    },
    async find(model, query) {
      return whole(await documents.find(model.name, query))
    },
  }
}
