import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { MailLinks } from '../../kernel/ports/mail-links.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { order, orderNumber } from '../../orders/order/model.ts'
import { invoice } from '../../orders/public.ts'
import type { MailingRecord } from '../mailing/model.ts'
import { deliveryIdAt } from '../mailing/outcomes.ts'
import { businessName } from '../settings/view.ts'
import { boughtLines } from './bought-lines.ts'
import { downloadsOf } from './downloads.ts'
import { LOCALES } from './kinds.ts'
import { moneyIn } from './money.ts'
import { shipmentOf } from './shipment.ts'

type Mail = Pick<MailingRecord, 'id' | 'kind' | 'values'>

/** Returns the link that the button of a mail leads to; `null`: to none. */
const buttonOf = ({ id, kind }: Mail, links: Pick<MailLinks, 'urlOf'>): string | null => {
  const deliveryId = deliveryIdAt(id, 0)
  if (kind === 'payment_failed') return links.urlOf({ kind: 'pay', deliveryId })
  return kind === 'opt_in_confirmation' ? links.urlOf({ kind: 'confirm', deliveryId }) : null
}

/** Returns what the mail says of the order that it is about. */
const orderValues = async ({ id, kind, values }: Mail, read: FactReader, links: Pick<MailLinks, 'urlOf'>) => {
  const { one } = readerOver(read)
  const locale = LOCALES.find((language) => language === values.locale) ?? 'en'
  const [placed, bill] = await Promise.all([one(order, idIn(values.order_id)), one(invoice, idIn(values.invoice_id))])
  if (!placed) return {}
  const number = orderNumber(placed.order_number)
  const amount = bill && moneyIn(locale, bill.total_amount ?? '0', bill.currency ?? placed.currency)
  if (kind === 'order_confirmation' && bill)
    return { order: { number, total: amount ?? '', lines: await boughtLines(bill, locale, read) } }
  if (kind !== 'download_ready') return { order: { number }, ...(amount !== undefined && { amount }) }
  const downloads = (await downloadsOf(placed.id, read)).map((file) => ({
    name: file.name ?? file.file_name ?? '',
    url: links.urlOf({ kind: 'download', deliveryId: deliveryIdAt(id, 0), number: file.id }),
  }))
  return { order: { number }, downloads }
}

/** Returns the values of an owed mail, read from the records that it is about. */
export const owedValues = async (
  mail: Mail,
  workspace: Document,
  { read, links }: { readonly read: FactReader; readonly links: Pick<MailLinks, 'urlOf'> },
): Promise<JsonObject> => ({
  business_name: await businessName(workspace, read),
  url: buttonOf(mail, links),
  ...(await orderValues(mail, read, links)),
  ...(await shipmentOf(idIn(mail.values.fulfillment_id), read)),
})
