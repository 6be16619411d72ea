import type { Adapter } from '../../domain/kernel/ports/calls.ts'
import type { CallOutcome, OutboundCall } from '../../domain/kernel/react/outbound-call.ts'
import { isJsonObject, type Json } from '../../domain/kernel/values/event.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import type { TaskTurn } from '../reactor/reaction.ts'
import { withTimeout } from './with-timeout.ts'

/** State of a call that survives a kill. A stored format. */
export type SentCall = {
  /** Number of attempts. */
  readonly attempts: number
  /** `sent`: it may have been sent, and no result is known; `doubt`: it may have been done; `clear`: it was surely not done. */
  readonly stands: 'sent' | 'doubt' | 'clear'
  /** Not tried before this time, in milliseconds since 1970. */
  readonly due: number
}

/** Reads the stored state of a call; `undefined`: there is none. */
export const sentCallIn = (value: Json): SentCall | undefined => {
  if (!isJsonObject(value)) return undefined
  const { attempts, stands, due } = value
  return {
    attempts: Number(attempts),
    stands: stands === 'clear' || stands === 'doubt' ? stands : 'sent',
    due: Number(due),
  }
}

/** A call to try. */
export interface CallAttempt {
  readonly calling: OutboundCall
  readonly adapter: Adapter
  readonly request: unknown
  readonly key: string
  isCalledOff(): MaybePromise<boolean>
  readonly kept: SentCall
}

/** Tries a call once. The attempt is stored before anything is sent, so that after a kill it is known to be in doubt. */
export const tryCall = async (attempt: CallAttempt, turn: TaskTurn): Promise<CallOutcome<unknown>> => {
  const { calling, adapter, request, key, isCalledOff, kept } = attempt
  const { onUnknown, timeoutMs } = calling
  if (kept.stands === 'sent') return { came: 'unknown', reason: 'the process ended before an answer was recorded' }
  const find = () => withTimeout(timeoutMs, (signal) => adapter.find!(request, key, signal))
  let mayBeDone = kept.stands === 'doubt'
  if (mayBeDone && onUnknown === 'query') {
    const found = await find()
    if (found.came !== 'never') return found
    mayBeDone = false
  }
  if (!mayBeDone && (await isCalledOff())) {
    // An older copy of the reactor store may have lost that it was sent, so it is not given up unasked.
    const found = kept.stands === 'clear' && onUnknown === 'query' ? await find() : undefined
    return found === undefined || found.came === 'never' ? { came: 'calledOff' } : found
  }
  await turn.saveCursor({ attempts: kept.attempts + 1, stands: 'sent', due: 0 } satisfies SentCall)
  const result = await withTimeout(timeoutMs, (signal) => adapter.send(request, key, signal))
  // A failure of this attempt says nothing about an earlier one.
  return mayBeDone && result.came === 'failed' ? { ...result, came: 'unknown' } : result
}
