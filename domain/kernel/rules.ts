import type { Actor, Command, FactReader } from './decider.ts'
import type { DomainEvent, JsonObject } from './event.ts'
import type { Values } from './field.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Model, RecordOf } from './model.ts'
import type { Document, Query } from './ports/read-models.ts'
import type { Refusal } from './refusal.ts'

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
 * @typeParam Besides what came with the request beside the attributes
 */
export interface Asked<M extends Model = Model, Besides = unknown> {
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
  readonly wanted: Partial<Values<M['attributes']>> & Partial<Besides>
  /** The attributes as they are going to be, as far as the rules before have settled. */
  readonly after: Values<M['attributes']>
  readonly ids: readonly number[]
  readonly records: StreamRecords
}

/** What is asked of a record that is there. */
export type AskedOf<M extends Model, Besides = unknown> = Asked<M, Besides> & { readonly before: RecordOf<M> }

/** Attributes that are to be otherwise, events beside those that follow from attributes, why not, or nothing. */
export type Ruling<M extends Model> = Partial<Values<M['attributes']>> | readonly DomainEvent[] | Refusal | undefined

/** One thing that the business asks of a record. A method, so that it may know what comes beside the attributes. */
export type Rule<M extends Model, F> = { rule(asked: Asked<M>, facts: F): Ruling<M> }['rule']

/** What comes of an act on a record that is there: events, or why not. */
export type Act<M extends Model, F> = {
  act(asked: AskedOf<M>, facts: F): readonly DomainEvent[] | Refusal
}['act']

/** Read access to records of other streams, typed by their models; personal attributes stay sealed. */
export interface Reader {
  one<M extends Model>(model: M, id: number | null | undefined): MaybePromise<RecordOf<M> | undefined>
  many<M extends Model>(model: M, ids: readonly number[]): MaybePromise<readonly RecordOf<M>[]>
  find<M extends Model>(model: M, query: Query): MaybePromise<readonly RecordOf<M>[]>
  /** Collections that no model stands for. */
  readonly documents: FactReader
}

/** What the business asks of records of one model. Rules are pure; what they need from elsewhere is loaded before, by `needs`. */
export interface Rules<M extends Model, F> {
  needs?(asked: Asked<M>, read: Reader): Promise<F> | F
  /** When attributes are set, on creation and on change, in this order. */
  readonly save?: readonly Rule<M, F>[]
  /** Instead of what the event table makes of a creation, a change or a removal. */
  create?(asked: Asked<M>, facts: F): readonly DomainEvent[] | Refusal
  change?(asked: AskedOf<M>, facts: F): readonly DomainEvent[] | Refusal
  remove?(asked: AskedOf<M>, facts: F): readonly DomainEvent[] | Refusal
  /** Before a record is removed: why it cannot be. */
  keeps?(asked: AskedOf<M>, facts: F): Refusal | undefined
  /** What is asked beside setting attributes, by name. */
  readonly acts?: Readonly<Record<string, Act<M, F>>>
  /** Acts that what has ended still takes. */
  readonly evenEnded?: readonly string[]
}

/** Rules of whatever model, on facts that are their own affair. */
export type AnyRules = Rules<Model, unknown>

/** The rules of a model, in one value. */
export const rules = <M extends Model, F = undefined>(spec: Rules<M, F>): AnyRules => spec as unknown as AnyRules

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
