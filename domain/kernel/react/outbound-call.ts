import type { Decider } from '../decide/decider.ts'
import type { ActInputs } from '../decide/rules.ts'
import type { Model, RecordOf } from '../model/model.ts'
import type { CallResult, Port } from '../ports/calls.ts'
import type { DomainEvent, JsonObject } from '../values/event.ts'

/** What came of a call; `calledOff`: nothing was done, and nothing is sent any more, because the process does not want it. */
export type CallOutcome<Answer> = CallResult<Answer> | { readonly came: 'calledOff' }

/** An act of a process, by which it is told what came of something. */
export interface Report<Act extends string = string> {
  readonly act: Act
  readonly wanted: JsonObject
}

/** The act by which a process is told what came of a call. */
export const report = <const Act extends string>(act: Act, wanted: JsonObject = {}): Report<Act> => ({ act, wanted })

/** Once more after a pause, or what the process is told. */
export type NextStep<Act extends string = string> = { readonly againAfterMs: number } | Report<Act>

/**
 * What to do when a call was sent and its outcome is unknown: `retry` it, because the outside performs it once under its key; `query` the outcome
 * under the key, and send again only when it never arrived; or `accept` that it stays unknown, which is recorded.
 */
export type OnUnknown = 'retry' | 'query' | 'accept'

interface CallSpec<M extends Model, T extends ActInputs, Request, Answer> {
  /** Unique, and kept for ever: what is sent goes under a key that is made from it. One call of a name for each process. */
  readonly name: string
  readonly process: Decider<T>
  readonly port: Port<Request, Answer>
  readonly onUnknown: OnUnknown
  /** For as long an answer is waited for; real time. */
  readonly timeoutMs: number
  /** Types of events of the process that may start it. */
  readonly on: readonly (keyof M['events'] & string)[]
  /** Only those of them for which this holds. */
  when?(event: DomainEvent): boolean
  /** What is sent, the same whenever it is asked; `undefined`: the process, as it is now, does not wait for it. */
  request(record: RecordOf<M>): Request | undefined
  /** Whether what was surely not done is not to be done any more. What may have been done is followed to its end. */
  isCalledOff?(record: RecordOf<M>): boolean
  /** Whether it may have been sent before, although nothing is known of a try: it was given up in doubt, and is taken up again. */
  mayHaveBeenSent?(record: RecordOf<M>): boolean
  /** @param attempt how often it was tried, from 1 */
  outcome(asked: Request, result: CallOutcome<Answer>, attempt: number): NextStep<keyof T & string>
}

/** A call to the outside that an event of a process starts: at least once, under one key (design 7). All of it is pure. */
export interface OutboundCall extends CallSpec<Model, ActInputs, unknown, unknown> {}

/** A call to the outside from its declaration. */
export const outboundCall = <M extends Model, T extends ActInputs, Request, Answer>(
  _: M,
  spec: CallSpec<M, T, Request, Answer>,
): OutboundCall =>
  // Its functions are only ever called with records of the model, and with what belongs to the port.
  spec as unknown as OutboundCall
