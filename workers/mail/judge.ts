import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import type { HandOver } from '../../domain/kernel/ports/mail-transport.ts'
import { TRIED_FOR_MS, waitAfter } from './waits.ts'

/** Returns what an attempt makes of a delivery. @param keeps whether mails are kept as files */
export const judge = (
  { id, attempts, first_attempt_at: first }: Pick<DeliveryRecord, 'id' | 'attempts' | 'first_attempt_at'>,
  result: HandOver,
  { at, keeps }: { readonly at: number; readonly keeps: boolean },
): Settled => {
  const reply = 'reply' in result && result.reply !== undefined ? { reply: result.reply } : {}
  if (result.came === 'accepted') return { delivery_id: id, outcome: keeps ? 'kept' : 'sent', ...reply }
  const why = { delivery_id: id, reason: result.reason, ...reply }
  if (result.came === 'bounced') return { ...why, outcome: 'bounced' }
  if (result.came === 'refused') return { ...why, outcome: 'failed' }
  if (result.came === 'doubt') return { ...why, outcome: 'in_doubt' }
  if (result.came === 'ours') return { delivery_id: id, outcome: 'returned' }
  const since = first === null ? at : Date.parse(first)
  const due = at + waitAfter(attempts + 1)
  if (due - since > TRIED_FOR_MS) return { ...why, outcome: 'failed' }
  return { ...why, outcome: 'deferred', retry_at: new Date(due).toISOString() }
}
