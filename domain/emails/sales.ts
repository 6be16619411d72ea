import { ask, within } from '../kernel/decide/ask.ts'
import { type Reader, readerOver } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { invoice } from '../orders/invoice/model.ts'
import { order } from '../orders/order/model.ts'
import { type DeliveryRecord, delivery } from './mailing/model.ts'
import { mailingIdOf } from './mailing/outcomes.ts'
import { mailings } from './mailing/rules.ts'

/** Time after a click in which what its reader orders is ascribed to the mail. */
const ASCRIBED_MS = 30 * 24 * 60 * 60_000

/** Returns the mail in which a buyer clicked last before ordering. */
const mailBefore = async (
  { contact_id, created_at }: Pick<RecordOf<typeof order>, 'contact_id' | 'created_at'>,
  read: Reader,
): Promise<DeliveryRecord | undefined> => {
  const since = new Date(Date.parse(created_at) - ASCRIBED_MS).toISOString()
  const last_clicked_at = { $gte: since, $lte: created_at }
  const clicked = await read.find(delivery, { where: { contact_id, last_clicked_at } })
  const [latest] = clicked.toSorted((a, b) => ((a.last_clicked_at ?? '') > (b.last_clicked_at ?? '') ? -1 : 1))
  return latest
}

/** Ascribes the first paid invoice of an order to the mail in which the buyer clicked last. Renewals and test orders are not ascribed. */
export const salesFollowMails = policy({
  name: 'sales-follow-mails',
  on: [order.event.PurchaseSucceeded],
  async react({ stream }, documents) {
    const read = readerOver(documents)
    const bought = await read.one(order, parseStream(stream).id)
    const mail = bought?.live_mode ? await mailBefore(bought, read) : undefined
    if (!bought || !mail) return []
    const [paid] = await read.find(invoice, { where: { order_id: bought.id, ever_paid: true }, limit: 1 })
    if (!paid) return []
    const { total_amount: amount, currency } = paid
    const place = within(mailings, mailingIdOf(mail.id), delivery)
    return [ask(place, mail.id, 'sell', { order_id: bought.id, amount, currency })]
  },
})
