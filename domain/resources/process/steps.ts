import type { Ask } from '../../kernel/decide/ask.ts'
import type { Decider } from '../../kernel/decide/decider.ts'
import type { FieldTable, Values } from '../../kernel/model/field.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Port } from '../../kernel/ports/calls.ts'
import {
  type CallOutcome,
  type OnUnknown,
  type OutboundCall,
  outboundCall,
  type Report,
  report,
  type StreamReader,
} from '../../kernel/react/outbound-call.ts'
import { type StreamCommand, streamCommand } from '../../kernel/react/stream-command.ts'
import type { DomainEvent, JsonObject } from '../../kernel/values/event.ts'
import type { MintId } from '../../kernel/values/ids.ts'
import type { MaybePromise } from '../../kernel/values/maybe-promise.ts'
import type { Direction } from './course.ts'
import type { AnyProcessModel, ProcessModel } from './model.ts'
import { RUNNING } from './status.ts'

type AttributesOf<M> = M extends ProcessModel<infer A extends FieldTable> ? Partial<Values<A>> : never

export interface CallSpec<M extends ProcessModel, Request, Answer> {
  readonly port: Port<Request, Answer>
  readonly onUnknown: OnUnknown
  /** Milliseconds to wait for an answer. */
  readonly timeoutMs: number
  /** Returns the request; the same at each call while the step is under way. */
  request(record: RecordOf<M>): Request
  /** Returns why the process cannot continue with an answer. */
  refuse?(answer: Answer): string | undefined
  /** Returns attributes to save from the answer; nothing personal. */
  saveResult?(answer: Answer): AttributesOf<M>
  /** Tells, right before each attempt, whether the call is still to be made. Default: it is, unless the process was called off. */
  isStillWanted?(record: RecordOf<M>, streams: StreamReader): MaybePromise<boolean>
  /**
   * Returns the milliseconds before the next attempt; `undefined` if there is none. `failed`: the call was certainly not carried out. Default: pauses
   * that double from a second to ten minutes, for two minutes if an invocation failed, else for a day.
   *
   * @param attempt number of the last attempt, from 1
   */
  retryAfterMs?(attempt: number, outcome: 'failed' | 'unknown'): number | undefined
}

export interface CommandSpec<M extends ProcessModel> {
  command(record: RecordOf<M>, mint: MintId): Ask
  /** Returns attributes to save. @param id id of the record that the command concerned, which may be new */
  saveResult?(id: number, record: RecordOf<M>): AttributesOf<M>
}

/** Pause of a process until somebody outside reports with `settle` or `fail`, or the time is over: then it goes on as if they had settled it. */
export interface WaitSpec {
  /** Milliseconds, from the beginning of the step. */
  readonly withinMs: number
}

/** Invocation or compensation of a step: a call to an external service, a command for another stream, or a pause. */
export type StepAction<M> = { readonly of: M } & (
  | { readonly call: CallSpec<AnyProcessModel, unknown, unknown> }
  | { readonly command: CommandSpec<AnyProcessModel> }
  | { readonly wait: WaitSpec }
)

/** A step of a process, with its compensation. */
export interface Step<M> {
  /** Must not change while a process is under way: its events and the keys of its calls contain it. */
  readonly name: string
  readonly invoke: StepAction<M>
  readonly compensate?: StepAction<M>
  /** Tells whether the step, once done, did something to compensate; default: it did. Without a compensation it has no meaning. */
  hasEffect?(record: RecordOf<M & AnyProcessModel>): boolean
  /** Tells whether its compensation waits until those of all other steps are done, since it may take long. Default: it does not. */
  compensatesLast?(record: RecordOf<M & AnyProcessModel>): boolean
  /**
   * Returns the number of parts of the step, from attributes that do not change; default: 1. Parts are done one after the other and compensated in
   * reverse. Only a command may have more than one.
   */
  repeat?(record: RecordOf<M & AnyProcessModel>): number
}

/** Declares a step action that calls an external service. */
export const call = <M extends ProcessModel, Request, Answer>(
  of: M,
  spec: CallSpec<M, Request, Answer>,
): StepAction<M> => ({
  of,
  // Its functions are only called with records of the model, and with requests and answers of the port.
  call: spec as unknown as CallSpec<AnyProcessModel, unknown, unknown>,
})

/** Declares a step action that sends a command to another stream. If the command is refused, the step has failed. */
export const command = <M extends ProcessModel>(of: M, spec: CommandSpec<M>): StepAction<M> => ({
  of,
  command: spec as unknown as CommandSpec<AnyProcessModel>,
})

/** Declares a step action that waits for somebody outside. What comes next finds out what they did. */
export const wait = <M extends ProcessModel>(of: M, spec: WaitSpec): StepAction<M> => ({ of, wait: spec })

/** About two minutes of attempts. */
const FEW_ATTEMPTS = 8
/** About a day of attempts. */
const MANY_ATTEMPTS = 150
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Gives up soon if an invocation failed, because a client may be waiting. Unknown outcomes and compensations have more time. */
const retryPolicy =
  (way: Direction) =>
  (attempt: number, outcome: 'failed' | 'unknown'): number | undefined => {
    const attempts = way === RUNNING && outcome === 'failed' ? FEW_ATTEMPTS : MANY_ATTEMPTS
    return attempt < attempts ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) : undefined
  }

/** Report on a step. `way` prevents a late report on an invocation from being taken for one on the compensation. */
export type StepInput = { readonly step: string | null; readonly part?: number; readonly way: Direction }

/** Inputs of the acts that report on the steps of a process. */
export type StepInputs = {
  readonly settle: StepInput & { readonly keeps: JsonObject }
  readonly fail: StepInput & { readonly reason: string }
  readonly doubt: StepInput & { readonly reason: string }
  readonly callOff: { readonly reason: string }
  readonly resume: object
}

/** A step in one direction: its invocation or its compensation. */
export interface StepDirection {
  readonly model: AnyProcessModel
  readonly process: Decider<StepInputs>
  readonly step: string
  readonly way: Direction
}

type ProcessRecord = RecordOf<AnyProcessModel>

/** Returns the properties that calls and commands of a step share. */
const commonOf = ({ model, process, step, way }: StepDirection) => {
  const { begun, moved, resumed } = model.stages
  return {
    name: `${model.name}.${way === RUNNING ? step : `${step}.undo`}`,
    process,
    on: [begun, moved, resumed],
    when: ({ data }: DomainEvent) => data.status === way && data.step === step,
    isUnderWay: (record: ProcessRecord) => record.status === way && record.step === step && record.stuck === null,
    settle: (keeps: JsonObject = {}, part = 0) => report('settle', { step, part, way, keeps }),
    /** A failed invocation starts the compensation; after a failed compensation somebody must check. */
    fail: (reason: string, part = 0) => report(way === RUNNING ? 'fail' : 'doubt', { step, part, way, reason }),
    doubt: (reason: string, part = 0) => report('doubt', { step, part, way, reason }),
  }
}

const outcomeOf =
  (
    stepWay: StepDirection,
    {
      onUnknown,
      refuse,
      saveResult,
      retryAfterMs = retryPolicy(stepWay.way),
    }: CallSpec<AnyProcessModel, unknown, unknown>,
  ) =>
  (result: CallOutcome<unknown>, attempt: number) => {
    const { settle, fail, doubt } = commonOf(stepWay)
    if (result.came === 'answered') {
      const reason = refuse?.(result.answer)
      return reason === undefined ? settle(saveResult?.(result.answer)) : fail(reason)
    }
    if (result.came === 'calledOff') return fail('it was called off')
    if (result.came === 'refused') return fail(result.reason)
    if (result.came === 'unknown' && onUnknown === 'accept') return settle()
    const pause = retryAfterMs(attempt, result.came)
    if (pause !== undefined) return { againAfterMs: pause }
    return result.came === 'failed' ? fail(result.reason) : doubt(result.reason)
  }

/** Builds the call that invokes or compensates a step. */
export const callOf = (stepWay: StepDirection, spec: CallSpec<AnyProcessModel, unknown, unknown>): OutboundCall => {
  const { name, process, on, when, isUnderWay } = commonOf(stepWay)
  const { port, onUnknown, timeoutMs } = spec
  const outcome = outcomeOf(stepWay, spec)
  return outboundCall(stepWay.model, {
    name,
    process,
    port,
    onUnknown,
    timeoutMs,
    on,
    when,
    request: (record) => (isUnderWay(record) ? spec.request(record) : undefined),
    isCalledOff: async (record, streams) =>
      (stepWay.way === RUNNING && record.because !== null) || !(await (spec.isStillWanted?.(record, streams) ?? true)),
    mayHaveBeenSent: ({ doubted }) => doubted,
    outcome: (_, result, attempt) => outcome(result, attempt),
  })
}

/** A pause of a process, and what ends it when its time is over. */
export interface Wait {
  readonly name: string
  readonly process: Decider<StepInputs>
  readonly step: string
  /** Types of the events with which the pause may begin. */
  readonly on: readonly string[]
  readonly withinMs: number
  when(event: DomainEvent): boolean
  over(): Report
}

/** Builds the pause of a step. */
export const waitOf = (stepWay: StepDirection, { withinMs }: WaitSpec): Wait => {
  const { name, process, on, when, settle } = commonOf(stepWay)
  return { name, process, step: stepWay.step, on, withinMs, when, over: settle }
}

/** Builds the command for another stream that invokes or compensates a step. */
export const commandOf = (
  stepWay: StepDirection,
  { command, saveResult }: CommandSpec<AnyProcessModel>,
): StreamCommand => {
  const { name, process, on, when, isUnderWay, settle, fail } = commonOf(stepWay)
  return streamCommand(stepWay.model, {
    name,
    process,
    on,
    when,
    command: (record, mint) => (isUnderWay(record) ? command(record, mint) : undefined),
    nth: ({ part }) => part,
    outcome: (result, record) =>
      result.came === 'answered'
        ? settle(saveResult?.(result.answer, record), record.part)
        : fail(result.reason, record.part),
  })
}
