import type { Adapter } from '../../domain/kernel/ports/calls.ts'
import type { CallOutcome, OutboundCall } from '../../domain/kernel/react/outbound-call.ts'
import { isJsonObject, type Json } from '../../domain/kernel/values/event.ts'
import type { TaskTurn } from '../reactor/reaction.ts'
import { withTimeout } from './with-timeout.ts'

/** What is kept of a call over a kill. A stored form. */
export type SentCall = {
  /** How often it was tried. */
  readonly attempts: number
  /** `sent`: it may have been sent, and nothing came of it yet; `doubt`: it may have been done; `clear`: it was surely not done. */
  readonly stands: 'sent' | 'doubt' | 'clear'
  /** Not tried before this time, in milliseconds since 1970. */
  readonly due: number
}

export const sentCallIn = (value: Json): SentCall | undefined => {
  if (!isJsonObject(value)) return undefined
  const { attempts, stands, due } = value
  return {
    attempts: Number(attempts),
    stands: stands === 'clear' || stands === 'doubt' ? stands : 'sent',
    due: Number(due),
  }
}

/** A call that is to be tried. */
export interface CallAttempt {
  readonly calling: OutboundCall
  readonly adapter: Adapter
  readonly request: unknown
  readonly key: string
  readonly isCalledOff: boolean
  readonly kept: SentCall
}

/** One try of a call: it is written down before anything is sent, so that a kill leaves doubt and no ignorance. */
export const tryCall = async (trial: CallAttempt, turn: TaskTurn): Promise<CallOutcome<unknown>> => {
  const { calling, adapter, request, key, isCalledOff, kept } = trial
  const { onUnknown, timeoutMs } = calling
  if (kept.stands === 'sent') return { came: 'unknown', reason: 'the process ended before an answer was recorded' }
  let mayBeDone = kept.stands === 'doubt'
  if (mayBeDone && onUnknown === 'query') {
    const found = await withTimeout(timeoutMs, (signal) => adapter.find!(request, key, signal))
    if (found.came !== 'never') return found
    mayBeDone = false
  }
  if (!mayBeDone && isCalledOff) return { came: 'calledOff' }
  await turn.keep({ attempts: kept.attempts + 1, stands: 'sent', due: 0 } satisfies SentCall)
  const result = await withTimeout(timeoutMs, (signal) => adapter.send(request, key, signal))
  // That nothing was done this time says nothing of the time before.
  return mayBeDone && result.came === 'failed' ? { ...result, came: 'unknown' } : result
}
