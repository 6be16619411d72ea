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
import type { ClaimRequest } from '../../kernel/model/claim.ts'
import { eventNamed } from '../../kernel/model/event-types.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { OutboundCall } from '../../kernel/react/outbound-call.ts'
import type { StreamCommand } from '../../kernel/react/stream-command.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { afterPartDone, afterPartFailed, firstStep, type Stage } from './course.ts'
import type { AnyProcessModel, ProcessModel, ProcessState } from './model.ts'
import { COMPENSATED, COMPENSATING, COMPLETED, RUNNING } from './status.ts'
import {
  callOf,
  commandOf,
  type Step,
  type StepDirection,
  type StepInput,
  type StepInputs,
  type Wait,
  waitOf,
} from './steps.ts'

/** Inputs of the acts of a process. */
type InputsOf<M extends ProcessModel, Sent> = RecordInputs<M, Sent> & StepInputs

/** A process, and what workers need to run it. */
export interface Process<M extends ProcessModel = ProcessModel, Sent = unknown> {
  readonly model: AnyProcessModel
  readonly decider: Decider<InputsOf<M, Sent>, { readonly [name in M['name']]: InputsOf<M, Sent> }>
  readonly calls: readonly OutboundCall[]
  readonly commands: readonly StreamCommand[]
  readonly waits: readonly Wait[]
  /** Milliseconds from the beginning until the process is called off. */
  readonly withinMs: number
  /** Whether the time begins anew where it was over while nothing ran. */
  readonly waitsForWorkers: boolean
}

interface ProcessSpec<M extends ProcessModel, F, Sent> {
  /** Steps in order: each begins when the one before it is done. */
  readonly steps: readonly [Step<NoInfer<M>>, ...Step<NoInfer<M>>[]]
  /** Milliseconds from the beginning until the process is called off, which compensates the steps that are done. */
  readonly withinMs: number
  /** Where nothing ran when the time was over, it begins anew, so that the process can be carried out first. */
  readonly waitsForWorkers?: boolean
  /** Loads facts for the rules in `save`. */
  loadFacts?(context: DecisionContext<NoInfer<M>, Sent>, read: Reader): Promise<F> | F
  /** Rules for its creation. */
  readonly save?: readonly Rule<NoInfer<M>, F, Sent>[]
  /** Returns the claims that it holds. */
  claims?(record: RecordOf<NoInfer<M>>): readonly ClaimRequest[]
}

type ReportContext<Input = StepInput> = ActContext<AnyProcessModel, Input>

const isUnderWay = ({ before, wanted }: ReportContext): boolean =>
  before.step === wanted.step && before.status === wanted.way && before.part === (wanted.part ?? 0)

/** Returns the results that a step saves. @throws {Error} if one is personal, because it would have to be sealed */
const requireNotPersonal = ({ attributes, name: processName }: AnyProcessModel, saved: JsonObject): JsonObject => {
  const table: ProcessModel['attributes'] = attributes
  for (const name in saved)
    if (table[name]?.personal) throw new Error(`a step of ${processName} keeps ${name}, which is personal`)
  return saved
}

/** Returns the steps of a process with the number of parts that each has for a record, and what is to be compensated. */
const stagesOf = (steps: readonly Step<unknown>[], record: unknown): readonly Stage[] =>
  steps.map(({ name, compensate, repeat, hasEffect, compensatesLast }) => ({
    name,
    compensatesLast: compensatesLast?.(record as never) ?? false,
    compensate: hasEffect?.(record as never) === false ? undefined : compensate,
    parts: repeat?.(record as never) ?? 1,
  }))

/** Builds the acts of a process. All can be repeated: a report that changes nothing adds no event. */
const actsOf = (model: AnyProcessModel, steps: readonly Step<unknown>[]) => {
  const { moved, calledOff, stuck, resumed, completed, undone } = model.stages
  const types: Readonly<Record<string, string>> = {
    [RUNNING]: moved,
    [COMPENSATING]: moved,
    [COMPLETED]: completed,
    [COMPENSATED]: undone,
  }
  const event = (type: string, data: JsonObject): Events<AnyProcessModel> => [eventNamed(model, type, data)]
  const waits = new Set<string | null>(steps.flatMap(({ name, invoke }) => ('wait' in invoke ? name : [])))
  const moveTo = (after: ProcessState, saved: JsonObject = {}) =>
    event(types[after.status] ?? moved, { ...requireNotPersonal(model, saved), ...after })
  return {
    settle: (context: ReportContext<StepInputs['settle']>) => {
      const { before, wanted } = context
      const stages = stagesOf(steps, { ...before, ...wanted.keeps })
      return isUnderWay(context) ? moveTo(afterPartDone(stages, before), wanted.keeps) : []
    },
    fail: (context: ReportContext<StepInputs['fail']>) =>
      isUnderWay(context) && context.before.status === RUNNING
        ? moveTo(afterPartFailed(stagesOf(steps, context.before), context.before, context.wanted.reason), {
            failed: context.before.step,
          })
        : [],
    doubt: (context: ReportContext<StepInputs['doubt']>) =>
      isUnderWay(context) && context.before.stuck === null ? event(stuck, { stuck: context.wanted.reason }) : [],
    callOff: ({ before, wanted: { reason: because } }: ReportContext<StepInputs['callOff']>) => {
      if (before.status !== RUNNING || before.because !== null) return []
      // Nothing is under way whose outcome would have to be awaited.
      return waits.has(before.step)
        ? moveTo(afterPartFailed(stagesOf(steps, before), before, because), { failed: before.step })
        : event(calledOff, { because })
    },
    resume: ({ before }: ReportContext) =>
      before.stuck === null ? [] : event(resumed, { status: before.status, step: before.step }),
  }
}

const actionsOf = (model: AnyProcessModel, process: Decider<StepInputs>, steps: readonly Step<unknown>[]) =>
  steps.flatMap(({ name, invoke, compensate }) => {
    const forward: StepDirection = { model, process, step: name, way: RUNNING }
    const backward: StepDirection = { ...forward, way: COMPENSATING }
    return [{ stepWay: forward, action: invoke }, ...(compensate ? [{ stepWay: backward, action: compensate }] : [])]
  })

/**
 * Builds a process from its declaration: steps with their compensations, and a time limit. Acts: `create` begins it, `callOff` ends it early with a
 * `reason`, and `resume` retries the step at which it is stuck. `settle` and `fail` report the outcome of a step, also by hand.
 *
 * @throws {Error} if two steps have the same name
 */
export const process = <M extends ProcessModel, F = undefined, Sent = unknown>(
  of: M,
  { steps, withinMs, waitsForWorkers = false, loadFacts, save = [], claims }: ProcessSpec<M, F, Sent>,
): Process<M, Sent> => {
  const duplicate = steps.find(({ name }, index) => steps.findIndex((other) => other.name === name) < index)
  if (duplicate) throw new Error(`${of.name} has two steps named ${duplicate.name}`)
  // The code below uses only the attributes that all processes have.
  const model = of as unknown as AnyProcessModel
  const start: Rule<AnyProcessModel, F> = ({ before, after }) =>
    before ? undefined : firstStep(stagesOf(steps, after))
  type Spec = RulesSpec<AnyProcessModel, F, unknown, unknown, unknown>
  const processDecider = decider(model, {
    rules: rules(model, {
      ...(loadFacts && { loadFacts: loadFacts as Spec['loadFacts'] & {} }),
      save: [...(save as readonly (typeof start)[]), start],
      acts: actsOf(model, steps),
    }),
    // Called with records of the model only.
    ...(claims && { claims: claims as (record: RecordOf<AnyProcessModel>) => readonly ClaimRequest[] }),
  })
  const actions = actionsOf(model, processDecider, steps)
  return {
    model,
    decider: processDecider as Decider as Process<M, Sent>['decider'],
    withinMs,
    waitsForWorkers,
    calls: actions.flatMap(({ stepWay, action }) => ('call' in action ? callOf(stepWay, action.call) : [])),
    commands: actions.flatMap(({ stepWay, action }) => ('command' in action ? commandOf(stepWay, action.command) : [])),
    waits: actions.flatMap(({ stepWay, action }) => ('wait' in action ? waitOf(stepWay, action.wait) : [])),
  }
}
