import type { Metadata, ServiceError } from '@grpc/grpc-js'
import type { Call, Fault } from './faults.ts'
import type { MemoryStore } from './memory-store.ts'
import { notReady } from './messages.ts'

/** What the handlers of the services see of their server. */
export interface Host {
  readonly store: MemoryStore
  /** Why a call with these headers is refused, if it is. */
  refusal(headers: Metadata): ServiceError | undefined
  fault(call: Call): Fault | undefined
  /** Breaks every connection. */
  drop(): void
  /** Told of each event that leaves for a reader. */
  sent(): void
}

const LATE_MS = 30

interface Work<R> {
  readonly apply: () => R
  readonly answer: (result: R) => void
  readonly fail: (error: ServiceError) => void
}

/** Applies a write and answers it, as well as the fault lets it. */
export function carryOut<R>(host: Host, fault: Fault | undefined, { apply, answer, fail }: Work<R>): void {
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
