import { fulfillment, fulfillmentLineItem } from '../../fulfillment/fulfillment/model.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { order, orderNumber } from '../../orders/order/model.ts'

const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url) && URL.canParse(url)

/** Returns the values of a mail about a fulfilment: what was sent, by whom, and where to follow it. */
export const shipmentOf = async (id: number | null, documents: FactReader): Promise<JsonObject> => {
  const read = readerOver(documents)
  const sent = await read.one(fulfillment, id)
  if (!sent) return {}
  const lines = await read.find(fulfillmentLineItem, { where: { fulfillment_id: sent.id } })
  const orders = await read.many(order, [...new Set(lines.map(({ order_id }) => order_id))])
  const { tracking_url, shipping_provider: carrier, tracking_code: tracking_number } = sent
  return {
    order: { number: orders.map(({ order_number }) => orderNumber(order_number)).join(', ') },
    shipment: { carrier, tracking_number },
    url: isWeb(tracking_url) ? tracking_url : null,
  }
}
