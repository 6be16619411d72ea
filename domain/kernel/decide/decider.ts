import { type ClaimWanted, claimOn } from '../model/claim.ts'
import type { Model, RecordOf } from '../model/model.ts'
import { PERSONAL } from '../model/personal.ts'
import type { DomainEvent, FoldedEvent, JsonObject, Upcast } from '../values/event.ts'
import type { Actor, Decision, FactReader } from './command.ts'
import { contextOf, decideOn, isLive } from './decision.ts'
import { type ActInputs, type RecordCommand, type RecordInputs, type Rules, readerOver } from './rules.ts'
import { membersOf, type StreamMembers } from './stream-members.ts'
import { EMPTY_STREAM, foldingOver, type StreamState } from './stream-state.ts'

/**
 * A model with its rules, and its children with theirs: the consistency boundary, one stream an instance, named `<name>-<id>`. Pure and total.
 *
 * @typeParam T What its records take
 * @typeParam Inputs What they and its children take, by the names of their models
 */
export interface Decider<T extends ActInputs = ActInputs, Inputs = unknown> {
  readonly name: string
  readonly model: Model
  /** Only for the compiler. */
  readonly inputs?: T
  readonly childInputs?: Inputs
  readonly initial: StreamState
  /** Every type of event of its streams, with the upcasts that bring version n (at index n - 1) to n + 1. */
  readonly events: Readonly<Record<string, readonly Upcast[]>>
  decide(state: StreamState, command: RecordCommand, facts: unknown): Decision
  /** The state after events that follow each other in one stream. */
  fold(state: StreamState, events: readonly FoldedEvent[]): StreamState
  /** What the decision needs from other streams, loaded before. */
  facts?(command: RecordCommand, read: FactReader, state: StreamState): unknown
  /** What this instance holds exclusively; the engine takes and releases the difference. */
  claims(state: StreamState): readonly ClaimWanted[]
  /** Brings a command that an older version kept in the log to what is asked today; one that is asked today stays as it is. */
  bringForward?(command: FormerCommand, id: number): RecordCommand
  /** The act that a record of the model of that name is asked for when the time of a timer has come. @throws {Error} where there is none */
  fires(of: string, timer: string): string
  /** Whose the personal part of an event of a write is, where that is not the one that the stream is named after. @throws {Error} when nobody is named */
  person?(state: StreamState, event: DomainEvent, id: number, write: readonly DomainEvent[]): number | undefined
}

/** A command as the log kept it, in whatever words. */
export type FormerCommand = JsonObject & {
  readonly type: string
  readonly at: string
  readonly actor: Actor & JsonObject
}

interface DeciderSpec<M extends Model, R, C> {
  readonly rules?: R
  /** Rules of children, each of another model. */
  readonly children?: C
  /** What commands of former versions, by their names, are asked as today: the log keeps those that requests still have to carry out. */
  readonly formerly?: Readonly<Record<string, (command: JsonObject) => Formerly<keyof InputsBy<M, R>>>>
  /** Claims beside those of the models' unique attributes. */
  claims?(record: RecordOf<M>): readonly ClaimWanted[]
}

type AnyDeciderSpec = DeciderSpec<Model, Rules, readonly Rules[]>

interface Formerly<Act> extends Pick<RecordCommand, 'wanted' | 'ids'> {
  readonly type: Act & string
}

/** The names of the models of a model's children. */
type ChildOf<M extends Model> = M['children'][keyof M['children']]['model']['name']

/** What a model's records take by these rules. */
type InputsBy<M extends Model, R> = R extends Rules<string, infer T> ? T : RecordInputs<M>

type ChildInputs<M extends Model, R, C extends readonly Rules[]> = {
  readonly [name in M['name']]: InputsBy<M, R>
} & { readonly [one in C[number] as one['of']['name']]: NonNullable<one['inputs']> }

const claimsOf =
  ({ all }: StreamMembers, own: AnyDeciderSpec['claims']) =>
  ({ documents }: StreamState): readonly ClaimWanted[] =>
    all.flatMap((place) => {
      const { model, open, role } = place
      if (model.unique.length === 0 && !(own && role === undefined)) return []
      return [...(documents[model.name]?.values() ?? [])].flatMap((document) => {
        const record = open(document)
        if (!isLive(place, record)) return []
        const unique = model.unique.flatMap((one) => claimOn(model, one, record, record.workspace_id) ?? [])
        return role === undefined && own ? [...unique, ...own(record)] : unique
      })
    })

/** The person of the record that an event with personal data concerns, by the attribute that its model says. */
const personIn =
  ({ all }: StreamMembers) =>
  (
    { documents }: StreamState,
    event: DomainEvent,
    streamId: number,
    write: readonly DomainEvent[],
  ): number | undefined => {
    const place = all.find(({ model }) => model.person !== undefined && event.type in model.events)
    if (!place || event.data[PERSONAL] === undefined) return undefined
    const [id = 0] = place.fold.touched(event, streamId)
    const name = place.model.person ?? ''
    const said = write.findLast(({ type, data }) => data[name] !== undefined && type in place.model.events)
    const person = said?.data[name] ?? documents[place.model.name]?.get(id)?.[name]
    if (typeof person !== 'number') throw new Error(`${event.type} of ${place.model.name} ${id} is personal to nobody`)
    return person
  }

const forward =
  (formerly: NonNullable<AnyDeciderSpec['formerly']>) =>
  (command: FormerCommand, id: number): RecordCommand => {
    const { type, at, actor } = command
    const former = formerly[type]
    return former ? { ...former(command), id, at, actor } : asRecordCommand(command)
  }

/** A command of today, out of the log. */
export const asRecordCommand = (command: FormerCommand): RecordCommand => command as unknown as RecordCommand

/** Versions of every type of event of a stream, whichever of its models names it. */
const versionsOf = ({ all }: StreamMembers) =>
  Object.fromEntries(
    all.flatMap(({ model }) => Object.entries(model.events).map(([type, { versions = [] }]) => [type, versions])),
  )

/** What every record is asked when its timers are due, by model and timer. @throws {Error} for a timer of which no rule says what is asked */
const timerActs = ({ all }: StreamMembers): ReadonlyMap<string, string> =>
  new Map(
    all.flatMap(({ model, rules }) =>
      model.timers.map(({ name }): [string, string] => {
        const act = rules.timers?.[name]
        if (act === undefined) throw new Error(`no rule says what is asked of ${model.name} when ${name} is due`)
        return [`${model.name} ${name}`, act]
      }),
    ),
  )

/**
 * A model with its rules: the aggregate of its streams (design 3, 4).
 *
 * @param spec rules of the model, and of its children; those without have none
 */
export const decider = <
  M extends Model,
  const R extends Rules<M['name']> = Rules<M['name'], RecordInputs<M>>,
  const C extends readonly Rules<ChildOf<M>>[] = [],
>(
  of: M,
  spec: DeciderSpec<NoInfer<M>, R, C> = {},
): Decider<InputsBy<M, R>, ChildInputs<M, R, C>> => {
  // What is declared of a model is only ever called with records of it.
  const model: Model = of
  const { formerly, claims } = spec as unknown as AnyDeciderSpec
  const places = membersOf(model, spec.rules, spec.children)
  const fired = timerActs(places)
  return {
    name: model.name,
    model,
    initial: EMPTY_STREAM,
    events: versionsOf(places),
    decide: decideOn(places),
    fold: foldingOver(places.all),
    claims: claimsOf(places, claims),
    fires: (model, timer) => fired.get(`${model} ${timer}`) ?? '',
    ...(places.all.some(({ model: { person } }) => person !== undefined) && { person: personIn(places) }),
    ...(formerly && { bringForward: forward(formerly) }),
    ...(places.all.some(({ rules }) => rules.loadFacts) && {
      facts(command, read, state) {
        const place = places.of(command)
        return place.rules.loadFacts?.(contextOf(place, state, command), readerOver(read))
      },
    }),
  }
}
