import type { Reader } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { asset, download } from '../media/public.ts'
import { includedIn } from '../store/public.ts'
import { entitlementsOf, isOpenAt } from './entitlements.ts'
import { order } from './order/model.ts'

/** File that an order has given its buyer, with whether it is open to them. */
export type OrderFile = RecordOf<typeof download> & { readonly isOpen: boolean }

/** Returns the ids of the files of variants: those that they name, or all of the workspace where one says so. */
const fileIdsOf = async (variantIds: readonly number[], workspaceId: number | null, read: Reader) => {
  const included = await Promise.all(variantIds.map((id) => includedIn(id, read)))
  if (included.some(({ all_assets }) => all_assets))
    return (await read.find(download, { where: { workspace_id: workspaceId } })).map(({ id }) => id)
  const assets = await read.many(
    asset,
    included.flatMap(({ asset_ids }) => asset_ids),
  )
  return assets.map(({ download_id }) => download_id)
}

/**
 * Returns the files that an order has given its buyer by what was paid, as its variants name them now.
 *
 * @param at time for which it is said whether they are open; ISO 8601
 */
export const filesOf = async (orderId: number, at: string, read: Reader): Promise<readonly OrderFile[]> => {
  const [sold, lines] = await Promise.all([read.one(order, orderId), entitlementsOf(orderId, read)])
  if (!sold || lines.length === 0) return []
  const variantsOf = (some: typeof lines) => [...new Set(some.map(({ variant_id }) => variant_id))]
  const workspaceId = sold.workspace_id ?? null
  const given = await fileIdsOf(variantsOf(lines), workspaceId, read)
  const open = new Set(await fileIdsOf(variantsOf(lines.filter((one) => isOpenAt(one, at))), workspaceId, read))
  const files = await read.many(download, [...new Set(given)])
  return files.map((file) => ({ ...file, isOpen: open.has(file.id) }))
}
