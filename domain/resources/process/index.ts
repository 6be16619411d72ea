import { type Decider, decider } from '../../kernel/decide/decider.ts'
import {
  type ActContext,
  type DecisionContext,
  type Events,
  type Reader,
  type RecordInputs,
  type Rule,
  type RulesSpec,
  rules,
} from '../../kernel/decide/rules.ts'
import { eventNamed } from '../../kernel/model/event-types.ts'
import type { OutboundCall } from '../../kernel/react/outbound-call.ts'
import type { StreamCommand } from '../../kernel/react/stream-command.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { failed, type Stage, settled, started } from './course.ts'
import type { AnyProcessModel, ProcessModel, Standing } from './model.ts'
import { COMPENSATED, COMPENSATING, COMPLETED, RUNNING } from './status.ts'
import { callOf, commandOf, type Step, type StepInput, type StepInputs, type StepWay } from './steps.ts'

/** What a process takes. */
type InputsOf<M extends ProcessModel, Sent> = RecordInputs<M, Sent> & StepInputs

/** A process, and what workers need to carry it on. */
export interface Process<M extends ProcessModel = ProcessModel, Sent = unknown> {
  readonly model: AnyProcessModel
  readonly decider: Decider<InputsOf<M, Sent>, { readonly [name in M['name']]: InputsOf<M, Sent> }>
  readonly calls: readonly OutboundCall[]
  readonly commands: readonly StreamCommand[]
  /** Milliseconds from its beginning on, after which it goes no further. */
  readonly withinMs: number
}

interface ProcessSpec<M extends ProcessModel, F, Sent> {
  /** In their order: one begins when the one before it is done. */
  readonly steps: readonly [Step<NoInfer<M>>, ...Step<NoInfer<M>>[]]
  /** Milliseconds from its beginning on, after which it goes no further: what was done is undone. */
  readonly withinMs: number
  /** What is known when it is asked to begin. */
  loadFacts?(asked: DecisionContext<NoInfer<M>, Sent>, read: Reader): Promise<F> | F
  /** What is asked of it when it begins. */
  readonly save?: readonly Rule<NoInfer<M>, F, Sent>[]
}

type Told<Input = StepInput> = ActContext<AnyProcessModel, Input>

const isUnderWay = ({ before, wanted }: Told): boolean =>
  before.step === wanted.step && before.status === wanted.way && before.part === (wanted.part ?? 0)

/** @throws {Error} for what would have to be sealed */
const notPersonal = ({ attributes, name: of }: AnyProcessModel, keeps: JsonObject): JsonObject => {
  const table: ProcessModel['attributes'] = attributes
  for (const name in keeps)
    if (table[name]?.personal) throw new Error(`a step of ${of} keeps ${name}, which is personal`)
  return keeps
}

/** The steps of a process, as often as it has each to do. */
const stagesOf = (steps: readonly Step<unknown>[], record: unknown): readonly Stage[] =>
  steps.map(({ name, compensate, repeat }) => ({ name, compensate, parts: repeat?.(record as never) ?? 1 }))

/** What a process is told, each as often as anybody likes: what it knows already adds no event. */
const actsOf = (model: AnyProcessModel, steps: readonly Step<unknown>[]) => {
  const { moved, calledOff, stuck, resumed, completed, undone } = model.stages
  const types: Readonly<Record<string, string>> = {
    [RUNNING]: moved,
    [COMPENSATING]: moved,
    [COMPLETED]: completed,
    [COMPENSATED]: undone,
  }
  const event = (type: string, data: JsonObject): Events<AnyProcessModel> => [eventNamed(model, type, data)]
  const stands = (after: Standing, keeps: JsonObject = {}) =>
    event(types[after.status] ?? moved, { ...notPersonal(model, keeps), ...after })
  return {
    settle: (told: Told<StepInputs['settle']>) =>
      isUnderWay(told) ? stands(settled(stagesOf(steps, told.before), told.before), told.wanted.keeps) : [],
    fail: (told: Told<StepInputs['fail']>) =>
      isUnderWay(told) && told.before.status === RUNNING
        ? stands(failed(stagesOf(steps, told.before), told.before, told.wanted.reason))
        : [],
    doubt: (told: Told<StepInputs['doubt']>) =>
      isUnderWay(told) && told.before.stuck === null ? event(stuck, { stuck: told.wanted.reason }) : [],
    callOff: ({ before, wanted }: Told<StepInputs['callOff']>) =>
      before.status === RUNNING && before.because === null ? event(calledOff, { because: wanted.reason }) : [],
    resume: ({ before }: Told) =>
      before.stuck === null ? [] : event(resumed, { status: before.status, step: before.step }),
  }
}

const legsOf = (model: AnyProcessModel, process: Decider<StepInputs>, steps: readonly Step<unknown>[]) =>
  steps.flatMap(({ name, invoke, compensate }) => {
    const there: StepWay = { model, process, step: name, way: RUNNING }
    return [
      { leg: there, doing: invoke },
      ...(compensate ? [{ leg: { ...there, way: COMPENSATING as typeof COMPENSATING }, doing: compensate }] : []),
    ]
  })

/**
 * A process from its declaration: its steps, each with what undoes it, and the time that it has. Acts: `create` begins it, `callOff` with a
 * `reason` ends it before its time, `resume` goes on where it is stuck, and whoever knows better says `settle` or `fail` of its step.
 *
 * @throws {Error} when two steps have one name
 */
export const process = <M extends ProcessModel, F = undefined, Sent = unknown>(
  of: M,
  { steps, withinMs, loadFacts, save = [] }: ProcessSpec<M, F, Sent>,
): Process<M, Sent> => {
  const twice = steps.find(({ name }, index) => steps.findIndex((other) => other.name === name) < index)
  if (twice) throw new Error(`${of.name} has two steps named ${twice.name}`)
  // A process of whatever attributes is one without any others.
  const model = of as unknown as AnyProcessModel
  const begins: Rule<AnyProcessModel, F> = ({ before, after }) => (before ? undefined : started(stagesOf(steps, after)))
  type Own = RulesSpec<AnyProcessModel, F, unknown, unknown, unknown>
  const own = decider(model, {
    rules: rules(model, {
      ...(loadFacts && { loadFacts: loadFacts as Own['loadFacts'] & {} }),
      save: [...(save as readonly (typeof begins)[]), begins],
      acts: actsOf(model, steps),
    }),
  })
  const legs = legsOf(model, own, steps)
  return {
    model,
    decider: own as Decider as Process<M, Sent>['decider'],
    withinMs,
    calls: legs.flatMap(({ leg, doing }) => ('call' in doing ? callOf(leg, doing.call) : [])),
    commands: legs.flatMap(({ leg, doing }) => ('command' in doing ? commandOf(leg, doing.command) : [])),
  }
}
