import type { Ask } from '../decide/ask.ts'
import type { Decider } from '../decide/decider.ts'
import type { Model, RecordOf } from '../model/model.ts'
import type { CallResult } from '../ports/calls.ts'
import type { DomainEvent } from '../values/event.ts'
import type { MintId } from '../values/ids.ts'
import type { Report } from './outbound-call.ts'

/** Outcome of a command: the id of the record that accepted it, or the reason of the refusal. */
export type CommandOutcome = Extract<CallResult<number>, { readonly came: 'answered' | 'refused' }>

interface StreamCommandSpec<M extends Model> {
  /** Unique, and never changed, because the claim that it was done is made from it. A process sends one command of each name, unless `nth` counts them. */
  readonly name: string
  readonly process: Decider
  /** Types of events of the process that may start it. */
  readonly on: readonly (keyof M['events'] & string)[]
  /** Condition that the event must meet as well. */
  when?(event: DomainEvent): boolean
  /** Returns the command; `undefined` when the process in its present state does not wait for it. */
  command(record: RecordOf<M>, mint: MintId): Ask | undefined
  /** Returns the index, from 0, of the command that the process waits for among several of this name. Default: 0. */
  nth?(record: RecordOf<M>): number
  outcome(result: CommandOutcome, record: RecordOf<M>): Report
}

/** A command for another stream that an event of a process starts. It is sent once, and its outcome is reported to the process. All functions are pure. */
export interface StreamCommand extends StreamCommandSpec<Model> {}

/** Makes a command for another stream from its declaration. */
export const streamCommand = <M extends Model>(_: M, spec: StreamCommandSpec<M>): StreamCommand =>
  // The cast is safe: its functions are only called with records of the model.
  spec as unknown as StreamCommand
