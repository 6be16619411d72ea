import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type CartLine, whyNotFor } from '../../pricing/public.ts'
import { discount, stateAt } from './model.ts'
import { redemption } from './redemption.ts'
import { MESSAGES, type Unusable } from './unusable-reason.ts'

/** Use of a code: its buyer, cart and time. */
export interface Use {
  readonly workspaceId: number
  /** Absent while the buyer is unknown; earlier use is not checked then. */
  readonly contactId?: number
  readonly lines: readonly CartLine[]
  /** ISO 4217. */
  readonly currency: string
  /** ISO 8601. */
  readonly at: string
}

/** Discount of a code, or the reason for which it cannot be used, with a message for the buyer. */
export type Usability =
  | { readonly discount: RecordOf<typeof discount> }
  | { readonly why: Unusable; readonly says: string }

const unusable = (why: Unusable): Usability => ({ why, says: MESSAGES[why] })

const isUsed = async ({ id }: { readonly id: number }, contactId: number, read: Reader): Promise<boolean> =>
  (await read.find(redemption, { where: { discount_id: id, contact_id: contactId } })).some(
    ({ state }) => state !== 'released',
  )

/**
 * Checks whether a contact can use a code, in either case, for a cart now (spec 2.9). `priceCart` calculates the
 * amount. Only the reservation guarantees a single use per customer.
 */
export const usabilityOf = async (
  code: string,
  { workspaceId, contactId, lines, currency, at }: Use,
  read: Reader,
): Promise<Usability> => {
  const where = { workspace_id: workspaceId, code: code.trim().toUpperCase() }
  const [found] = where.code === '' ? [] : await read.find(discount, { where, limit: 1 })
  if (found?.discount_type !== 'code') return unusable('unknown')
  const state = stateAt(found, at)
  if (state !== 'active') return unusable(state)
  const why = whyNotFor(found, lines, currency)
  if (why) return unusable(why)
  const isTaken = found.limit_1_per_customer && contactId !== undefined && (await isUsed(found, contactId, read))
  return isTaken ? unusable('used') : { discount: found }
}
