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
  report,
} from '../../kernel/react/outbound-call.ts'
import { type StreamCommand, streamCommand } from '../../kernel/react/stream-command.ts'
import type { DomainEvent, JsonObject } from '../../kernel/values/event.ts'
import type { MintId } from '../../kernel/values/ids.ts'
import type { Direction } from './course.ts'
import type { AnyProcessModel, ProcessModel } from './model.ts'
import { RUNNING } from './status.ts'

type AttributesOf<M> = M extends ProcessModel<infer A extends FieldTable> ? Partial<Values<A>> : never

export interface CallSpec<M extends ProcessModel, Request, Answer> {
  readonly port: Port<Request, Answer>
  readonly onUnknown: OnUnknown
  /** For as long an answer is waited for. */
  readonly timeoutMs: number
  /** What is sent: the same whenever it is asked while the step is under way. */
  request(record: RecordOf<M>): Request
  /** Why an answer is none that the process can go on with. */
  refuse?(answer: Answer): string | undefined
  /** Attributes that the answer says; nothing personal. */
  saveResult?(answer: Answer): AttributesOf<M>
  /**
   * Milliseconds before another try after the nth, which was surely not done or is in doubt; `undefined`: there is none. Default: pauses that
   * double from a second to ten minutes, for two minutes where it was surely not done on the way there, else for a day.
   */
  retryAfterMs?(attempt: number, came: 'failed' | 'unknown'): number | undefined
}

export interface CommandSpec<M extends ProcessModel> {
  command(record: RecordOf<M>, mint: MintId): Ask
  /** Attributes that the id of the record says, which may be new. */
  saveResult?(id: number, record: RecordOf<M>): AttributesOf<M>
}

/** How a step is done or undone: by a call to the outside, or by a command for another stream. */
export type StepAction<M> = { readonly of: M } & (
  | { readonly call: CallSpec<AnyProcessModel, unknown, unknown> }
  | { readonly command: CommandSpec<AnyProcessModel> }
)

/** One step of a process, and what undoes it. */
export interface Step<M> {
  /** Never changed while a process is under way: it stands in its events and in the key of its calls. */
  readonly name: string
  readonly invoke: StepAction<M>
  readonly compensate?: StepAction<M>
  /** How often the process has it to do, one after the other and backwards when it is undone, by attributes that do not change; default: once. More than once: by commands alone. */
  repeat?(record: RecordOf<M & AnyProcessModel>): number
}

/** By a call to the outside. */
export const call = <M extends ProcessModel, Request, Answer>(
  of: M,
  spec: CallSpec<M, Request, Answer>,
): StepAction<M> => ({
  of,
  // Its functions are only ever called with records of the model, and with what belongs to the port.
  call: spec as unknown as CallSpec<AnyProcessModel, unknown, unknown>,
})

/** By a command for another stream; its refusal is the step's. */
export const command = <M extends ProcessModel>(of: M, spec: CommandSpec<M>): StepAction<M> => ({
  of,
  command: spec as unknown as CommandSpec<AnyProcessModel>,
})

const HURRIED_TRIES = 8
const PATIENT_TRIES = 150
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Who waits for a step there is told soon that it cannot be done; doubt and the way back have time. */
const retryPolicy =
  (way: Direction) =>
  (attempt: number, came: 'failed' | 'unknown'): number | undefined => {
    const tries = way === RUNNING && came === 'failed' ? HURRIED_TRIES : PATIENT_TRIES
    return attempt < tries ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) : undefined
  }

/** What a process is told of a step; `way` keeps what comes late from being taken for the way back. */
export type StepInput = { readonly step: string | null; readonly part?: number; readonly way: Direction }

/** What a process takes of what comes of its steps. */
export type StepInputs = {
  readonly settle: StepInput & { readonly keeps: JsonObject }
  readonly fail: StepInput & { readonly reason: string }
  readonly doubt: StepInput & { readonly reason: string }
  readonly callOff: { readonly reason: string }
  readonly resume: object
}

/** A step on its way. */
export interface StepWay {
  readonly model: AnyProcessModel
  readonly process: Decider<StepInputs>
  readonly step: string
  readonly way: Direction
}

type ProcessRecord = RecordOf<AnyProcessModel>

/** What calls and commands of a step have in common. */
const commonOf = ({ model, process, step, way }: StepWay) => {
  const { begun, moved, resumed } = model.stages
  return {
    name: `${model.name}.${way === RUNNING ? step : `${step}.undo`}`,
    process,
    on: [begun, moved, resumed],
    when: ({ data }: DomainEvent) => data.status === way && data.step === step,
    isUnderWay: (record: ProcessRecord) => record.status === way && record.step === step && record.stuck === null,
    settle: (keeps: JsonObject = {}, part = 0) => report('settle', { step, part, way, keeps }),
    /** What was not done is the end of the way there; on the way back somebody must look. */
    fail: (reason: string, part = 0) => report(way === RUNNING ? 'fail' : 'doubt', { step, part, way, reason }),
    doubt: (reason: string, part = 0) => report('doubt', { step, part, way, reason }),
  }
}

const outcomeOf =
  (
    leg: StepWay,
    { onUnknown, refuse, saveResult, retryAfterMs = retryPolicy(leg.way) }: CallSpec<AnyProcessModel, unknown, unknown>,
  ) =>
  (result: CallOutcome<unknown>, attempt: number) => {
    const { settle, fail, doubt } = commonOf(leg)
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

/** The call that does a step or undoes it. */
export const callOf = (leg: StepWay, spec: CallSpec<AnyProcessModel, unknown, unknown>): OutboundCall => {
  const { name, process, on, when, isUnderWay } = commonOf(leg)
  const { port, onUnknown, timeoutMs } = spec
  const outcome = outcomeOf(leg, spec)
  return outboundCall(leg.model, {
    name,
    process,
    port,
    onUnknown,
    timeoutMs,
    on,
    when,
    request: (record) => (isUnderWay(record) ? spec.request(record) : undefined),
    isCalledOff: ({ because }) => leg.way === RUNNING && because !== null,
    mayHaveBeenSent: ({ doubted }) => doubted,
    outcome: (_, result, attempt) => outcome(result, attempt),
  })
}

/** The command for another stream that does a step or undoes it. */
export const commandOf = (leg: StepWay, { command, saveResult }: CommandSpec<AnyProcessModel>): StreamCommand => {
  const { name, process, on, when, isUnderWay, settle, fail } = commonOf(leg)
  return streamCommand(leg.model, {
    name,
    process,
    on,
    when,
    command: (record, mint) => (isUnderWay(record) ? command(record, mint) : undefined),
    nth: ({ part }) => part,
    outcome: (told, record) =>
      told.came === 'answered'
        ? settle(saveResult?.(told.answer, record), record.part)
        : fail(told.reason, record.part),
  })
}
