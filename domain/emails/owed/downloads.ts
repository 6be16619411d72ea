import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { download } from '../../media/public.ts'
import { order } from '../../orders/order/model.ts'
import { lineItem } from '../../orders/public.ts'
import { variant } from '../../store/public.ts'

/** Returns the files that an order gives access to. */
export const downloadsOf = async (
  orderId: number,
  documents: FactReader,
): Promise<readonly RecordOf<typeof download>[]> => {
  const read = readerOver(documents)
  const lines = await read.find(lineItem, { where: { order_id: orderId } })
  const variants = await read.many(
    variant,
    lines.map(({ variant_id }) => variant_id),
  )
  const assetIds = [...new Set(variants.flatMap(({ asset_ids }) => asset_ids ?? []))]
  const assets = await documents.getMany('asset', assetIds)
  const ids = assets.flatMap((asset) => idIn(asset?.download_id) ?? [])
  return read.many(download, [...new Set(ids)])
}

/** Whether the buyer of an order may have what it gives access to: it was paid, was not refunded, and no subscription has ended. */
export const hasAccess = async (orderId: number, documents: FactReader): Promise<boolean> => {
  const found = await readerOver(documents).one(order, orderId)
  if (!found?.purchased || found.billing_status === 'refunded') return false
  return found.order_type === 'one-time-order' || found.service_status !== 'churned'
}
