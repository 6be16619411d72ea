import type { Decider } from '../decide/decider.ts'
import type { StreamState } from '../decide/stream-state.ts'
import { type Refusal, refuse } from '../values/refusal.ts'
import type { Transaction } from './transaction.ts'

/** Size that a stream may reach. */
export interface StreamSize {
  /** Records of all kinds, the root among them. */
  readonly records: number
  /** Memory of the records, as `memoryOf` estimates it. */
  readonly bytes: number
}

/** Bounds of streams, beyond which writes that add to them are refused. */
export interface StreamBounds {
  /** For what clients add. */
  readonly soft: StreamSize
  /**
   * For what happens to the business: payments, results of calls and processes, reports from providers. It is higher, so that these
   * can be recorded in a stream that its clients have filled.
   */
  readonly hard: StreamSize
}

const MIB = 1024 * 1024

export const STREAM_BOUNDS: StreamBounds = {
  soft: { records: 10_000, bytes: 16 * MIB },
  hard: { records: 20_000, bytes: 32 * MIB },
}

/**
 * Bytes by which a write may always change the records that a stream has. Whatever ends, cancels, removes or erases something takes
 * no more for its time and its reasons, so no bound keeps it out.
 */
const SMALL_CHANGE_BYTES = 4096

/** Whether a command adds what somebody wants, rather than what has happened. Jobs do for clients what those could do themselves. */
const isWanted = ({ label }: Transaction['command']['actor']): boolean =>
  label === 'worker:jobs' || !(label.startsWith('worker:') || label.startsWith('provider:'))

const nameOf = ({ name }: Decider): string => (name.split('/').at(-1) ?? name).replaceAll('_', ' ')

/** Returns a refusal when a write would add to a stream that is full, or fill it. What makes a stream no larger is never refused. */
export const refuseBeyond = (
  { soft, hard }: StreamBounds,
  { aggregate, command }: Pick<Transaction, 'aggregate' | 'command'>,
  before: StreamState,
  after: StreamState,
): Refusal | undefined => {
  const isMoreRecords = after.records > before.records
  if (!isMoreRecords && after.bytes - before.bytes <= SMALL_CHANGE_BYTES) return undefined
  const most = isWanted(command.actor) ? soft : hard
  const full = (limit: string, code: string): Refusal =>
    refuse.invalid(
      `This ${nameOf(aggregate)} is full: together with everything in it, it can have at most ${limit}`,
      'base',
      code,
    )
  if (isMoreRecords && after.records > most.records) return full(`${most.records} records`, 'too_many')
  return after.bytes > most.bytes ? full(`${most.bytes} bytes`, 'too_large') : undefined
}
