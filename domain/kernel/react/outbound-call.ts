import type { Decider } from '../decide/decider.ts'
import type { ActInputs, StreamRecords } from '../decide/rules.ts'
import type { Model, RecordOf } from '../model/model.ts'
import type { CallResult, Port } from '../ports/calls.ts'
import type { DomainEvent, JsonObject } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/** Outcome of a call. `calledOff`: nothing was done and nothing will be sent, because the process was called off. */
export type CallOutcome<Answer> = CallResult<Answer> | { readonly came: 'calledOff' }

/** An act of a process that tells it the outcome of a call or command. */
export interface Report<Act extends string = string> {
  readonly act: Act
  readonly wanted: JsonObject
}

/** Makes the act that tells a process the outcome of a call. */
export const report = <const Act extends string>(act: Act, wanted: JsonObject = {}): Report<Act> => ({ act, wanted })

/** Next step after a call: another attempt after a pause in milliseconds, or a report to the process. */
export type NextStep<Act extends string = string> = { readonly againAfterMs: number } | Report<Act>

/**
 * Handling of a call that was sent and whose outcome is unknown: `retry` sends it again, because the receiver performs it only once under its key;
 * `query` asks for the outcome under the key, and sends again only if the call never arrived; `accept` records that it stays unknown.
 */
export type OnUnknown = 'retry' | 'query' | 'accept'

/** Reads the records of a stream as they are in the log now. */
export type StreamReader = (aggregate: Decider, id: number) => Promise<StreamRecords>

interface CallSpec<M extends Model, T extends ActInputs, Request, Answer> {
  /** Unique, and never changed, because the key of the call is made from it. A process makes one call of each name. */
  readonly name: string
  readonly process: Decider<T>
  readonly port: Port<Request, Answer>
  readonly onUnknown: OnUnknown
  /** Longest wait for an answer, in milliseconds of real time. */
  readonly timeoutMs: number
  /** Types of events of the process that may start it. */
  readonly on: readonly (keyof M['events'] & string)[]
  /** Condition that the event must meet as well. */
  when?(event: DomainEvent): boolean
  /** Returns the request, always the same one; `undefined` when the process in its present state does not wait for the call. */
  request(record: RecordOf<M>): Request | undefined
  /**
   * Tells whether the call must not be made any more, if it was surely not made yet. Asked right before each attempt. One
   * that may have been made is followed to its end.
   */
  isCalledOff?(record: RecordOf<M>, streams: StreamReader): MaybePromise<boolean>
  /** Tells whether an earlier attempt may have been sent although none is recorded, because the call was given up in doubt and is resumed. */
  mayHaveBeenSent?(record: RecordOf<M>): boolean
  /** @param attempt number of attempts so far, from 1 */
  outcome(request: Request, result: CallOutcome<Answer>, attempt: number): NextStep<keyof T & string>
}

/** A call to the outside that an event of a process starts. It is sent at least once, under one key. All functions are pure. */
export interface OutboundCall extends CallSpec<Model, ActInputs, unknown, unknown> {}

/** Makes a call to the outside from its declaration. */
export const outboundCall = <M extends Model, T extends ActInputs, Request, Answer>(
  _: M,
  spec: CallSpec<M, T, Request, Answer>,
): OutboundCall =>
  // The cast is safe: its functions are only called with records of the model, and with requests and answers of the port.
  spec as unknown as OutboundCall
