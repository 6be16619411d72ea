import type { Ask } from '../decide/ask.ts'
import type { Decider } from '../decide/decider.ts'
import type { Model, RecordOf } from '../model/model.ts'
import type { CallResult } from '../ports/calls.ts'
import type { DomainEvent } from '../values/event.ts'
import type { MintId } from '../values/ids.ts'
import type { Report } from './outbound-call.ts'

/** What came of it: the id of the record that was told, or why it refused. */
export type CommandOutcome = Extract<CallResult<number>, { readonly came: 'answered' | 'refused' }>

interface StreamCommandSpec<M extends Model> {
  /** Unique, and kept for ever: what says that it was done is named after it. One of a name for each process. */
  readonly name: string
  readonly process: Decider
  /** Types of events of the process that may start it. */
  readonly on: readonly (keyof M['events'] & string)[]
  /** Only those of them for which this holds. */
  when?(event: DomainEvent): boolean
  /** `undefined`: the process, as it is now, does not wait for it. */
  command(record: RecordOf<M>, mint: MintId): Ask | undefined
  /** Which of several commands of that name it is that the process waits for, from 0. Default: the only one. */
  nth?(record: RecordOf<M>): number
  outcome(result: CommandOutcome, record: RecordOf<M>): Report
}

/** A command for another stream that an event of a process starts, once, and of which the process is told what came. All of it is pure. */
export interface StreamCommand extends StreamCommandSpec<Model> {}

/** A command for another stream from its declaration. */
export const streamCommand = <M extends Model>(_: M, spec: StreamCommandSpec<M>): StreamCommand =>
  // Its functions are only ever called with records of the model.
  spec as unknown as StreamCommand
