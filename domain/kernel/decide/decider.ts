import { type ClaimRequest, claimsOn } from '../model/claim.ts'
import type { Model, RecordOf } from '../model/model.ts'
import { PERSONAL } from '../model/personal.ts'
import type { DomainEvent, FoldedEvent, JsonObject, Upcast } from '../values/event.ts'
import type { Actor, Decision, FactReader } from './command.ts'
import { contextOf, decideOn, isLive } from './decision.ts'
import { type ActInputs, type RecordCommand, type RecordInputs, type Rules, readerOver } from './rules.ts'
import { StreamFold } from './stream-fold.ts'
import { membersOf, type StreamMembers } from './stream-members.ts'
import { EMPTY_STREAM, type StreamState } from './stream-state.ts'

/**
 * A model with its rules, and its children with theirs. It is the consistency boundary: each instance has one stream, named `<name>-<id>`.
 * Deciding and folding are pure.
 *
 * @typeParam T inputs of the acts of its records
 * @typeParam Inputs inputs of its records and of its children, by the names of their models
 */
export interface Decider<T extends ActInputs = ActInputs, Inputs = unknown> {
  readonly name: string
  readonly model: Model
  /** Only for the compiler. */
  readonly inputs?: T
  readonly childInputs?: Inputs
  readonly initial: StreamState
  /** Every event type of its streams, with the upcasts from version n (at index n - 1) to n + 1. */
  readonly events: Readonly<Record<string, readonly Upcast[]>>
  decide(state: StreamState, command: RecordCommand, facts: unknown): Decision
  /** Returns the state after consecutive events of one stream. */
  fold(state: StreamState, events: readonly FoldedEvent[]): StreamState
  /** Begins a fold to which consecutive events of one stream are added one by one. */
  foldFrom(state: StreamState): StreamFold
  /** Loads the facts from other streams that the decision needs. */
  facts?(command: RecordCommand, read: FactReader, state: StreamState): unknown
  /** Returns the claims that an instance holds in this state. The engine takes and releases the difference between states. */
  claims(state: StreamState): readonly ClaimRequest[]
  /** Converts a command that an older version stored in the log to its present form. One that has it already stays unchanged. */
  bringForward?(command: FormerCommand, id: number): RecordCommand
  /** Returns the act that a timer triggers on records of the model of that name, or an empty text for an unknown timer. */
  fires(of: string, timer: string): string
  /** Returns the person whom the personal part of an event is about, unless that is the root of the stream. @throws {Error} when no person is named */
  person?(state: StreamState, event: DomainEvent, id: number, write: readonly DomainEvent[]): number | undefined
}

/** A command from the log, in the form of the version that stored it. */
export type FormerCommand = JsonObject & {
  readonly type: string
  readonly at: string
  readonly actor: Actor & JsonObject
}

interface DeciderSpec<M extends Model, R, C> {
  readonly rules?: R
  /** Rules of the children, at most one per model. */
  readonly children?: C
  /** Converts commands of former versions, by their former names. The log stores those that requests still have to carry out. */
  readonly formerly?: Readonly<Record<string, (command: JsonObject) => Formerly<keyof InputsBy<M, R>>>>
  /** Returns claims in addition to those of the models' unique attributes. */
  claims?(record: RecordOf<M>): readonly ClaimRequest[]
}

type AnyDeciderSpec = DeciderSpec<Model, Rules, readonly Rules[]>

interface Formerly<Act> extends Pick<RecordCommand, 'wanted' | 'ids'> {
  readonly type: Act & string
}

/** Names of the models of a model's children. */
type ChildOf<M extends Model> = M['children'][keyof M['children']]['model']['name']

/** Inputs of a model's records under these rules. */
type InputsBy<M extends Model, R> = R extends Rules<string, infer T> ? T : RecordInputs<M>

type ChildInputs<M extends Model, R, C extends readonly Rules[]> = {
  readonly [name in M['name']]: InputsBy<M, R>
} & { readonly [one in C[number] as one['of']['name']]: NonNullable<one['inputs']> }

const claimsOf =
  ({ all }: StreamMembers, rootClaims: AnyDeciderSpec['claims']) =>
  ({ documents }: StreamState): readonly ClaimRequest[] =>
    all.flatMap((member) => {
      const { model, open, role } = member
      if (model.unique.length === 0 && !(rootClaims && role === undefined)) return []
      return [...(documents[model.name]?.values() ?? [])].flatMap((document) => {
        const record = open(document)
        if (!isLive(member, record)) return []
        const unique = model.unique.flatMap((one) => claimsOn(model, one, record, record.workspace_id))
        return role === undefined && rootClaims ? [...unique, ...rootClaims(record)] : unique
      })
    })

/** Returns the function that finds the person of an event with personal data, by the attribute `person` of its model. */
const personIn =
  ({ all }: StreamMembers) =>
  (
    { documents }: StreamState,
    event: DomainEvent,
    streamId: number,
    write: readonly DomainEvent[],
  ): number | undefined => {
    const member = all.find(({ model }) => model.person !== undefined && event.type in model.events)
    if (!member || event.data[PERSONAL] === undefined) return undefined
    const [id = 0] = member.fold.touched(event, streamId)
    const name = member.model.person ?? ''
    const assigning = write.findLast(({ type, data }) => data[name] !== undefined && type in member.model.events)
    const person = assigning?.data[name] ?? documents[member.model.name]?.get(id)?.[name]
    if (typeof person !== 'number') throw new Error(`${event.type} of ${member.model.name} ${id} is personal to nobody`)
    return person
  }

const bringForwardBy =
  (formerly: NonNullable<AnyDeciderSpec['formerly']>) =>
  (command: FormerCommand, id: number): RecordCommand => {
    const { type, at, actor } = command
    const former = formerly[type]
    return former ? { ...former(command), id, at, actor } : asRecordCommand(command)
  }

/** Returns a command from the log that already has the present form. */
export const asRecordCommand = (command: FormerCommand): RecordCommand => command as unknown as RecordCommand

/** Returns the upcasts of every event type of a stream, whichever of its models declares it. */
const versionsOf = ({ all }: StreamMembers) =>
  Object.fromEntries(
    all.flatMap(({ model }) => Object.entries(model.events).map(([type, { versions = [] }]) => [type, versions])),
  )

/** Returns the acts that timers trigger, by model and timer. @throws {Error} for a timer without an act in the rules */
const timerActs = ({ all }: StreamMembers): ReadonlyMap<string, string> =>
  new Map(
    all.flatMap(({ model, rules }) =>
      model.timers.map(({ name }): [string, string] => {
        const act = rules.timers?.[name]
        if (act === undefined) throw new Error(`the rules of ${model.name} have no act for its timer ${name}`)
        return [`${model.name} ${name}`, act]
      }),
    ),
  )

/**
 * Makes the decider of a model: the aggregate of its streams. Throws an Error for rules that do not fit the model, and for timers without an act.
 *
 * @param spec rules of the model and of its children; both are optional
 */
export const decider = <
  M extends Model,
  const R extends Rules<M['name']> = Rules<M['name'], RecordInputs<M>>,
  const C extends readonly Rules<ChildOf<M>>[] = [],
>(
  of: M,
  spec: DeciderSpec<NoInfer<M>, R, C> = {},
): Decider<InputsBy<M, R>, ChildInputs<M, R, C>> => {
  // The casts are safe: functions of a declaration are only called with records of its model.
  const model: Model = of
  const { formerly, claims } = spec as unknown as AnyDeciderSpec
  const members = membersOf(model, spec.rules, spec.children)
  const actsOfTimers = timerActs(members)
  return {
    name: model.name,
    model,
    initial: EMPTY_STREAM,
    events: versionsOf(members),
    decide: decideOn(members),
    foldFrom: (state) => new StreamFold(members.all, state),
    fold(state, events) {
      const fold = new StreamFold(members.all, state)
      for (const event of events) fold.add(event)
      return fold.end()
    },
    claims: claimsOf(members, claims),
    fires: (model, timer) => actsOfTimers.get(`${model} ${timer}`) ?? '',
    ...(members.all.some(({ model: { person } }) => person !== undefined) && { person: personIn(members) }),
    ...(formerly && { bringForward: bringForwardBy(formerly) }),
    ...(members.all.some(({ rules }) => rules.loadFacts) && {
      facts(command, read, state) {
        const member = members.of(command)
        return member.rules.loadFacts?.(contextOf(member, state, command), readerOver(read))
      },
    }),
  }
}
