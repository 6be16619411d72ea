import type { Values } from '../model/field.ts'
import type { Model, RecordOf } from '../model/model.ts'
import type { Document, Query } from '../ports/read-models.ts'
import type { EventOf, JsonObject } from '../values/event.ts'
import { getOrInsert } from '../values/get-or-insert.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'
import type { Refusal } from '../values/refusal.ts'
import type { Actor, Command, Documents, FactReader } from './command.ts'

/** A command for a record of a model. It is JSON, because the log stores commands that a request still has to carry out. */
export interface RecordCommand extends Command {
  /** `create`, `change`, `remove`, or the name of an act of the record. */
  readonly type: string
  /** Id of the record. */
  readonly id: number
  /** For children: the role in the parent's model. */
  readonly child?: string
  readonly workspaceId?: number
  /** Requested attributes, and other input of the act. */
  readonly wanted: JsonObject
  /** Type of the event that creates the record, if the model has several. */
  readonly as?: string
  /** Ids for children that the command may create. */
  readonly ids?: readonly number[]
  /** For a creation: act that the record is asked for, with the same input, that holds a claim of the new one. Default: the creation is refused. */
  readonly ifTaken?: string
  /** For a child: the creation of the root, where its stream has not begun. If another stream holds a claim of the root, the child is made there. */
  readonly begins?: Pick<RecordCommand, 'id' | 'wanted'>
}

/** The records of one stream. */
export interface StreamRecords {
  /** Whether the stream has any events. Its record may have ended since. */
  readonly began: boolean
  one<M extends Model>(model: M, id: number): RecordOf<M> | undefined
  /** Returns the record that the stream is named after. */
  root<M extends Model>(model: M): RecordOf<M> | undefined
  /** Returns all records of a model, in the order of their creation. */
  all<M extends Model>(model: M): readonly RecordOf<M>[]
}

/**
 * Input of a rule: the command, the record before, and the attributes after.
 *
 * @typeParam Extra input of the request besides the attributes
 */
export interface DecisionContext<M extends Model = Model, Extra = unknown> {
  /** `create`, `change`, `remove`, or the name of an act. */
  readonly act: string
  readonly id: number
  /** Id of the workspace; 0 for records outside workspaces. */
  readonly workspaceId: number
  readonly at: string
  readonly actor: Actor
  /** The present record; `undefined` during creation. */
  readonly before: RecordOf<M> | undefined
  /** Attributes and other input that were sent. Attributes that are absent stay unchanged. */
  readonly wanted: Partial<Values<M['attributes']>> & Partial<Extra>
  /** The attributes after the command, including the changes of earlier rules. */
  readonly after: Values<M['attributes']>
  readonly ids: readonly number[]
  readonly records: StreamRecords
  /** Only for the compiler. */
  readonly extra?: Extra
}

/** Context of a command for an existing record. */
export type ActContext<M extends Model, Extra = unknown> = Omit<DecisionContext<M>, 'before' | 'wanted'> & {
  readonly before: RecordOf<M>
  readonly wanted: ActInput<M, Extra>
}

/** Input of an act: its own input, which is complete, and attributes, which are optional. */
export type ActInput<M extends Model, Own> = Omit<Partial<Values<M['attributes']>>, keyof Own> & Own

/** Events of the streams that a model's records are in. */
export type Events<M extends Model> = readonly EventOf<M['stream']>[]

/** Result of a rule: attributes to change, additional events, a refusal, or nothing. */
export type RuleResult<M extends Model> = Partial<Values<M['attributes']>> | Events<M> | Refusal | undefined

/** A business rule for a record. */
export type Rule<M extends Model, F, Extra = unknown> = (context: DecisionContext<M, Extra>, facts: F) => RuleResult<M>

/** Decides on an act of an existing record. It is typed as a method, so that its parameter may be narrower than the general context. */
export type Act<M extends Model, F, Extra = unknown> = {
  act(context: ActContext<M, Extra>, facts: F): Events<M> | Refusal
}['act']

/** Context of a birth, with its complete input. */
export type BirthContext<M extends Model, Input> = DecisionContext<M> & { readonly wanted: Input }

/** A rule for a birth. It is typed as a method, so that its parameter may be narrower than the general context. */
export type BirthRule<M extends Model, F, Input> = {
  rule(context: BirthContext<M, Input>, facts: F): RuleResult<M>
}['rule']

/** Read access to records, typed by their models; personal attributes stay sealed. */
export interface RecordReader {
  one<M extends Model>(model: M, id: number | null | undefined): MaybePromise<RecordOf<M> | undefined>
  many<M extends Model>(model: M, ids: readonly number[]): MaybePromise<readonly RecordOf<M>[]>
  find<M extends Model>(model: M, query: Query): MaybePromise<readonly RecordOf<M>[]>
}

/** Read access to records of other streams, of the team and workspace that is acted on. A record of another one is absent. */
export interface Reader extends RecordReader {
  /** Records of the whole installation, for the few rules that mean it. */
  readonly everywhere: RecordReader
  /** Access to collections that have no model. */
  readonly documents: FactReader
}

/** Names of the timers of a model. */
type TimerOf<M extends Model> = M['timers'][number]['name']

/**
 * Business rules for the records of one model. Rules are pure. `loadFacts` loads what they need from other streams.
 *
 * @typeParam F facts that `loadFacts` returns
 * @typeParam Sent input besides the attributes, for `create`, `change` and `remove`
 * @typeParam Acts input of each act, besides the attributes
 * @typeParam Births input of each birth, besides the attributes
 */
export interface RulesSpec<M extends Model, F, Sent, Acts, Births> {
  loadFacts?(context: DecisionContext<M, Sent>, read: Reader): Promise<F> | F
  /** Rules for creation and change, in the order in which they run. */
  readonly save?: readonly Rule<M, F, Sent>[]
  /** Replaces the events that are derived from the event table for a creation; likewise `change` and `remove`. */
  readonly create?: (context: DecisionContext<M, Sent>, facts: F) => Events<M> | Refusal
  /** Rules of each birth, by name. They run in place of `save`. */
  readonly births?: { readonly [birth in keyof Births]: readonly BirthRule<M, F, Births[birth]>[] }
  readonly change?: Act<M, F, Partial<Sent>>
  readonly remove?: Act<M, F, Partial<Sent>>
  /** Returns a refusal if the record cannot be removed. */
  readonly preventRemoval?: (context: ActContext<M, Partial<Sent>>, facts: F) => Refusal | undefined
  /** Acts, by name. */
  readonly acts?: { readonly [act in keyof Acts]: Act<M, F, Acts[act]> }
  /** Acts that a record accepts even when `isLive` of its model is false. */
  readonly allowedAfterEnd?: readonly (keyof Acts | 'change' | 'remove')[]
  /** Act that each timer triggers. It must move or cancel the timer. */
  readonly timers?: { readonly [timer in TimerOf<M>]: keyof Acts }
}

/** Names of acts with the types of their inputs. */
export type ActInputs = object

/** Inputs of the acts that every record has. */
export type RecordInputs<M extends Model, Sent = unknown> = {
  readonly create: Partial<Values<M['attributes']>> & Partial<Sent>
  readonly change: Partial<Values<M['attributes']>> & Partial<Sent>
  readonly remove: Partial<Sent>
}

type InputsOfActs<M extends Model, Acts> = {
  readonly [act in keyof Acts]: ActInput<M, Acts[act]>
}

/** Rules of any model, with facts of any type. */
export interface AnyRules {
  loadFacts?(context: DecisionContext, read: Reader): unknown
  readonly save?: readonly ((context: DecisionContext, facts: unknown) => RuleResult<Model>)[]
  readonly create?: (context: DecisionContext, facts: unknown) => Events<Model> | Refusal
  readonly births?: Readonly<Record<string, AnyRules['save'] & {}>>
  readonly change?: AnyAct
  readonly remove?: AnyAct
  readonly preventRemoval?: (context: ActContext<Model>, facts: unknown) => Refusal | undefined
  readonly acts?: Readonly<Record<string, AnyAct>>
  readonly allowedAfterEnd?: readonly string[]
  readonly timers?: Readonly<Record<string, string>>
}

type AnyAct = (context: ActContext<Model>, facts: unknown) => Events<Model> | Refusal

/** Rules of one model, with the inputs of its acts. */
export interface Rules<Name extends string = string, T extends ActInputs = ActInputs> extends AnyRules {
  readonly of: { readonly name: Name }
  /** Only for the compiler. */
  readonly inputs?: T
}

/** Makes the rules of a model. */
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

/** Returns typed read access over documents of the whole installation. */
export const readEverywhere = (documents: Documents): RecordReader => {
  const as = <M extends Model>(document: Document | undefined) => document as RecordOf<M> | undefined
  const present = <M extends Model>(documents: readonly (Document | undefined)[]) =>
    documents.map((document) => as<M>(document)).filter(isPresent)
  return {
    async one(model, id) {
      return id === null || id === undefined ? undefined : as(await documents.get(model.name, id))
    },
    async many(model, ids) {
      return ids.length === 0 ? [] : present(await documents.getMany(model.name, ids))
    },
    async find(model, query) {
      return present(await documents.find(model.name, query))
    },
  }
}

/** Returns typed read access over documents, which are the records of their models. */
export const readerOver = (documents: FactReader): Reader =>
  getOrInsert(readers, documents, () => ({
    ...readEverywhere(documents),
    documents,
    get everywhere() {
      return readEverywhere(documents.everywhere)
    },
  }))

const readers = new WeakMap<FactReader, Reader>()
