import type { Ask, Mint } from '../../kernel/decide/ask.ts'
import type { Decider } from '../../kernel/decide/decider.ts'
import type { FieldTable, Values } from '../../kernel/model/field.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Port } from '../../kernel/ports/calls.ts'
import { type Calling, type Came, calling, type InDoubt, to } from '../../kernel/react/call.ts'
import { type Telling, telling } from '../../kernel/react/stream-command.ts'
import type { DomainEvent, JsonObject } from '../../kernel/values/event.ts'
import type { Way } from './course.ts'
import type { AnyProcessModel, ProcessModel } from './model.ts'

type AttributesOf<M> = M extends ProcessModel<infer A extends FieldTable> ? Partial<Values<A>> : never

interface CallSpec<M extends ProcessModel, Request, Answer> {
  readonly port: Port<Request, Answer>
  readonly inDoubt: InDoubt
  /** For as long an answer is waited for. */
  readonly timeoutMs: number
  /** What is sent: the same whenever it is asked while the step is under way. */
  asks(record: RecordOf<M>): Request
  /** Why an answer is none that the process can go on with. */
  refuses?(answer: Answer): string | undefined
  /** Attributes that the answer says; nothing personal. */
  keeps?(answer: Answer): AttributesOf<M>
  /**
   * Milliseconds before another try after the nth, which was surely not done or is in doubt; `undefined`: there is none. Default: pauses that
   * double from a second to ten minutes, for two minutes where it was surely not done on the way there, else for a day.
   */
  again?(attempt: number, came: 'failed' | 'unknown'): number | undefined
}

interface TellSpec<M extends ProcessModel> {
  tells(record: RecordOf<M>, mint: Mint): Ask
  /** Attributes that the id of the record says, which may be new. */
  keeps?(id: number, record: RecordOf<M>): AttributesOf<M>
}

/** How a step is done or undone: by a call to the outside, or by a command for another stream. */
export type Doing<M> = { readonly of: M } & (
  | { readonly call: CallSpec<AnyProcessModel, unknown, unknown> }
  | { readonly tell: TellSpec<AnyProcessModel> }
)

/** One step of a process, and what undoes it. */
export interface Step<M> {
  /** Never changed while a process is under way: it stands in its events and in the key of its calls. */
  readonly name: string
  readonly does: Doing<M>
  readonly undo?: Doing<M>
  /** How often the process has it to do, one after the other and backwards when it is undone, by attributes that do not change; default: once. More than once: by commands alone. */
  times?(record: RecordOf<M & AnyProcessModel>): number
}

/** By a call to the outside. */
export const calls = <M extends ProcessModel, Request, Answer>(
  of: M,
  spec: CallSpec<M, Request, Answer>,
): Doing<M> => ({
  of,
  // Its functions are only ever called with records of the model, and with what belongs to the port.
  call: spec as unknown as CallSpec<AnyProcessModel, unknown, unknown>,
})

/** By a command for another stream; its refusal is the step's. */
export const tells = <M extends ProcessModel>(of: M, spec: TellSpec<M>): Doing<M> => ({
  of,
  tell: spec as unknown as TellSpec<AnyProcessModel>,
})

const HURRIED_TRIES = 8
const PATIENT_TRIES = 150
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Who waits for a step there is told soon that it cannot be done; doubt and the way back have time. */
const patience =
  (way: Way) =>
  (attempt: number, came: 'failed' | 'unknown'): number | undefined => {
    const tries = way === 'going' && came === 'failed' ? HURRIED_TRIES : PATIENT_TRIES
    return attempt < tries ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) : undefined
  }

/** What a process is told of a step; `way` keeps what comes late from being taken for the way back. */
export type OfStep = { readonly step: string | null; readonly part?: number; readonly way: Way }

/** What a process takes of what comes of its steps. */
export type StepTakes = {
  readonly settle: OfStep & { readonly keeps: JsonObject }
  readonly fail: OfStep & { readonly reason: string }
  readonly doubt: OfStep & { readonly reason: string }
  readonly callOff: { readonly reason: string }
  readonly resume: object
}

/** A step on its way. */
export interface Leg {
  readonly model: AnyProcessModel
  readonly process: Decider<StepTakes>
  readonly step: string
  readonly way: Way
}

type ProcessRecord = RecordOf<AnyProcessModel>

/** What calls and commands of a step have in common. */
const legOf = ({ model, process, step, way }: Leg) => {
  const { begun, moved, resumed } = model.stages
  return {
    name: `${model.name}.${way === 'going' ? step : `${step}.undo`}`,
    process,
    on: [begun, moved, resumed],
    when: ({ data }: DomainEvent) => data.status === way && data.step === step,
    isUnderWay: (record: ProcessRecord) => record.status === way && record.step === step && record.stuck === null,
    settle: (keeps: JsonObject = {}, part = 0) => to('settle', { step, part, way, keeps }),
    /** What was not done is the end of the way there; on the way back somebody must look. */
    fail: (reason: string, part = 0) => to(way === 'going' ? 'fail' : 'doubt', { step, part, way, reason }),
    doubt: (reason: string, part = 0) => to('doubt', { step, part, way, reason }),
  }
}

const outcomeOf =
  (leg: Leg, { inDoubt, refuses, keeps, again = patience(leg.way) }: CallSpec<AnyProcessModel, unknown, unknown>) =>
  (result: Came<unknown>, attempt: number) => {
    const { settle, fail, doubt } = legOf(leg)
    if (result.came === 'answered') {
      const reason = refuses?.(result.answer)
      return reason === undefined ? settle(keeps?.(result.answer)) : fail(reason)
    }
    if (result.came === 'calledOff') return fail('it was called off')
    if (result.came === 'refused') return fail(result.reason)
    if (result.came === 'unknown' && inDoubt === 'skip') return settle()
    const pause = again(attempt, result.came)
    if (pause !== undefined) return { againAfterMs: pause }
    return result.came === 'failed' ? fail(result.reason) : doubt(result.reason)
  }

/** The call that does a step or undoes it. */
export const callingOf = (leg: Leg, spec: CallSpec<AnyProcessModel, unknown, unknown>): Calling => {
  const { name, process, on, when, isUnderWay } = legOf(leg)
  const { port, inDoubt, timeoutMs } = spec
  const outcome = outcomeOf(leg, spec)
  return calling(leg.model, {
    name,
    process,
    port,
    inDoubt,
    timeoutMs,
    on,
    when,
    asks: (record) => (isUnderWay(record) ? spec.asks(record) : undefined),
    isCalledOff: ({ because }) => leg.way === 'going' && because !== null,
    isDoubted: ({ doubted }) => doubted,
    came: (_, result, attempt) => outcome(result, attempt),
  })
}

/** The command for another stream that does a step or undoes it. */
export const tellingOf = (leg: Leg, { tells, keeps }: TellSpec<AnyProcessModel>): Telling => {
  const { name, process, on, when, isUnderWay, settle, fail } = legOf(leg)
  return telling(leg.model, {
    name,
    process,
    on,
    when,
    tells: (record, mint) => (isUnderWay(record) ? tells(record, mint) : undefined),
    nth: ({ part }) => part,
    came: (told, record) =>
      told.came === 'answered' ? settle(keeps?.(told.answer, record), record.part) : fail(told.reason, record.part),
  })
}
