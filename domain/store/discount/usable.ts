import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type CartLine, whyNotFor } from '../../pricing/public.ts'
import { discount, stateAt } from './model.ts'
import { redemption } from './redemption.ts'
import { SAYS, type Unusable } from './unusable.ts'

/** Who wants to use a code, on what and when. */
export interface Use {
  readonly workspaceId: number
  /** Absent while the buyer is not known: whether they used it before is not asked then. */
  readonly contactId?: number
  readonly lines: readonly CartLine[]
  /** ISO 4217. */
  readonly currency: string
  /** ISO 8601. */
  readonly at: string
}

/** The discount that a code is for, or why it cannot be used, with a sentence for the buyer. */
export type Usability =
  | { readonly discount: RecordOf<typeof discount> }
  | { readonly why: Unusable; readonly says: string }

const unusable = (why: Unusable): Usability => ({ why, says: SAYS[why] })

const isUsed = async ({ id }: { readonly id: number }, contactId: number, read: Reader): Promise<boolean> =>
  (await read.find(redemption, { where: { discount_id: id, contact_id: contactId } })).some(
    ({ state }) => state !== 'released',
  )

/**
 * Whether a code, in either case, can be used now by a contact for a cart (spec 2.9). What it takes is for `priceCart` to say; that it is used once a
 * customer is only sure when it is reserved.
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
