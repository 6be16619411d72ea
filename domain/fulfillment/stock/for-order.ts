import type { FollowUp } from '../../kernel/follow-up.ts'
import type { Reader } from '../../kernel/rules.ts'
import type { Stamp } from '../../kernel/telling.ts'
import { stock } from './model.ts'
import { stocks } from './rules.ts'

/** So much of a variant. */
export interface Wanted {
  readonly variant_id: number
  readonly quantity: number
}

/** For which order, and when and as whom it is asked. */
export interface ForOrder extends Stamp {
  readonly orderId: number
  readonly workspaceId: number
}

/** Quantities by variant, each variant once. */
const byVariant = (lines: readonly Wanted[]): ReadonlyMap<number, number> => {
  const all = new Map<number, number>()
  for (const { variant_id, quantity } of lines) all.set(variant_id, (all.get(variant_id) ?? 0) + quantity)
  return all
}

/**
 * What a checkout asks of stock, a command for each variant that is counted; the others are always there. `reserve` keeps back for 30 minutes,
 * `commit` for good, both refused (422, `out_of_stock`) where there is less; `release` takes so much of it back. Each may be told again, `release` apart.
 */
export const stockFor = async (
  act: 'reserve' | 'commit' | 'release',
  lines: readonly Wanted[],
  { orderId, workspaceId, at, actor }: ForOrder,
  read: Reader,
): Promise<readonly FollowUp[]> => {
  const quantities = byVariant(lines)
  if (quantities.size === 0) return []
  const found = await read.find(stock, { where: { variant_id: { $in: [...quantities.keys()] } } })
  return found
    .filter(({ workspace_id }) => workspace_id === workspaceId)
    .map(({ id, variant_id }) => {
      const wanted = { order_id: orderId, quantity: quantities.get(variant_id) ?? 0 }
      return { aggregate: stocks, id, command: { type: act, id, workspaceId, wanted, at, actor } }
    })
}
