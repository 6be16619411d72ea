import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import type { HandOver as AnyHandOver } from '../../domain/kernel/ports/mail-transport.ts'
import { isMixed } from './refusals-in-a-row.ts'
import { FAULTS_AT_RECIPIENT, TRIED_FOR_MS, waitAfter } from './waits.ts'

/** What came of handing over a mail that goes. */
export type HandOver = Exclude<AnyHandOver, { readonly came: 'stayed' }>

type Attempted = Pick<DeliveryRecord, 'id' | 'attempts' | 'first_attempt_at'>

/** Whether a fault is to pause all of a mailing. One that meets the same mail again and again is that mail's own, and so is one that may be about its recipient. */
export const meetsAll = ({ attempts }: Pick<Attempted, 'attempts'>, result: HandOver): boolean =>
  result.came === 'ours' && !isMixed(result) && (result.atRecipient !== true || attempts < FAULTS_AT_RECIPIENT)

/** Returns what becomes of deliveries that were under way at a kill: they may have been handed over. A file is written again. */
export const leftTaken = (taken: readonly Pick<Attempted, 'id'>[], keeps: boolean): Settled[] =>
  taken.map(({ id }) =>
    keeps ? { delivery_id: id, outcome: 'returned' } : { delivery_id: id, outcome: 'in_doubt', reason: 'interrupted' },
  )

/** Returns what an attempt makes of a delivery. @param keeps whether mails are kept as files */
export const judge = (
  delivery: Attempted,
  result: HandOver,
  { at, keeps }: { readonly at: number; readonly keeps: boolean },
): Settled => {
  const { id, attempts, first_attempt_at: first } = delivery
  const reply = 'reply' in result && result.reply !== undefined ? { reply: result.reply } : {}
  if (result.came === 'accepted') return { delivery_id: id, outcome: keeps ? 'kept' : 'sent', ...reply }
  const why = { delivery_id: id, reason: result.reason, ...reply }
  if (result.came === 'bounced') return { ...why, outcome: 'bounced' }
  if (result.came === 'refused') return { ...why, outcome: 'failed' }
  if (result.came === 'doubt') return { ...why, outcome: 'in_doubt' }
  const isPausing = meetsAll(delivery, result)
  if (result.came === 'ours' && isPausing && result.atRecipient !== true)
    return { delivery_id: id, outcome: 'returned' }
  const since = first === null ? at : Date.parse(first)
  // Its try counts, and it is due as soon as the mailing goes on.
  const due = isPausing ? at : at + waitAfter(attempts + 1)
  if (due - since > TRIED_FOR_MS) return { ...why, outcome: 'failed' }
  return { ...why, outcome: 'deferred', retry_at: new Date(due).toISOString() }
}
