import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { order } from '../../orders/order/model.ts'
import { invoice } from '../../orders/public.ts'
import { endpoint } from '../../purchases/endpoint/model.ts'
import { purchase } from '../../purchases/purchase/model.ts'
import { isBroughtIn } from '../../resources/brought-in.ts'

type Order = Pick<RecordOf<typeof order>, 'id' | 'gateway_account_id'>

/** Whether a checkout of ours has made an order. */
export const isSoldHere = ({ gateway_account_id }: Pick<Order, 'gateway_account_id'>): boolean =>
  gateway_account_id !== null

/** Whether a payment of an order that was sold elsewhere was made just now. Whoever sold it has told the buyer of a past one. */
const isPaidNow = async (orderId: number, at: string, read: FactReader): Promise<boolean> => {
  const bills = await readerOver(read).find(invoice, { where: { order_id: orderId } })
  return bills.some(({ paid_at }) => paid_at !== null && !isBroughtIn(paid_at, at))
}

/** Whether mails about an order that another system reports are suppressed at the endpoint that it came to. */
const isSuppressed = async (orderId: number, documents: FactReader): Promise<boolean> => {
  const read = readerOver(documents)
  const [reported] = await read.find(purchase, { where: { order_id: orderId }, limit: 1 })
  const receiver = await read.one(endpoint, reported?.external_purchase_endpoint_id)
  return receiver?.suppress_order_system_emails === true
}

/** Whether the buyer of an order that was paid is owed a mail. */
export const owesMail = async (placed: Order, at: string, read: FactReader): Promise<boolean> =>
  isSoldHere(placed) || ((await isPaidNow(placed.id, at, read)) && !(await isSuppressed(placed.id, read)))
