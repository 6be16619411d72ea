import type { Metadata, ServiceError } from '@grpc/grpc-js'
import type { Call, Fault } from './faults.ts'
import type { MemoryStore } from './memory-store.ts'
import { notReady } from './messages.ts'

/** The part of the server that its handlers use. */
export interface Host {
  readonly store: MemoryStore
  /** The error for a call with these headers, if it is refused. */
  refusal(headers: Metadata): ServiceError | undefined
  fault(call: Call): Fault | undefined
  /** Breaks every connection. */
  drop(): void
  /** Called for each event that is sent to a reader. */
  sent(): void
}

const LATE_MS = 30

interface Work<R> {
  readonly apply: () => R
  readonly answer: (result: R) => void
  readonly fail: (error: ServiceError) => void
}

/** Applies a write and answers it, unless the fault prevents that. */
export function execute<R>(host: Host, fault: Fault | undefined, { apply, answer, fail }: Work<R>): void {
  switch (fault) {
    case 'notReady':
      fail(notReady())
      return
    case 'dropBefore':
      host.drop()
      return
    case 'dropAfter':
      apply()
      host.drop()
      return
    case 'applyLate':
      host.drop()
      setTimeout(apply, LATE_MS)
      return
    case 'stallBefore':
      return
    case 'stallAfter':
      apply()
      return
    default:
      answer(apply())
  }
}
