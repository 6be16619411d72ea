import { contact } from '../../contacts/public.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { MailLinks } from '../../kernel/ports/mail-links.ts'
import type { MemberLinks } from '../../kernel/ports/member-links.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { account } from '../../members/account/model.ts'
import { order, orderNumber } from '../../orders/order/model.ts'
import { filesOf, invoice, orderFilePath } from '../../orders/public.ts'
import type { Loader } from '../../resources/view-types.ts'
import { originOf } from '../../sites/public.ts'
import type { MailingRecord } from '../mailing/model.ts'
import { deliveryIdAt } from '../mailing/outcomes.ts'
import { businessName } from '../settings/view.ts'
import { boughtLines } from './bought-lines.ts'
import { localeIn } from './kinds.ts'
import { moneyIn } from './money.ts'
import { shipmentOf } from './shipment.ts'

type Mail = Pick<MailingRecord, 'id' | 'kind' | 'values'>

/** What the values of a mail are read from. */
interface ValueDeps {
  readonly read: FactReader
  readonly load: Loader
  readonly links: Pick<MailLinks, 'urlOf'>
  readonly memberLinks: MemberLinks
  /** ISO 8601. */
  readonly at: string
}

/** Returns the address at which a contact signs in by a link; `null` while the workspace has no domain, or the contact no address. */
const entryOf = async (mail: Mail, workspaceId: number, { read, load, memberLinks }: ValueDeps) => {
  const { account_id, link } = mail.values
  const found = await readerOver(read).one(account, idIn(account_id))
  const [document, origin] = await Promise.all([load.one('contact', found?.contact_id), originOf(load, workspaceId)])
  const address = document && recordOf(contact)(document).email_address
  if (!found || origin === undefined || !address) return null
  return origin + memberLinks.pathOf({ kind: 'entry', accountId: found.id, number: Number(link) }, address)
}

/** Returns the link that the button of a mail leads to; `null`: to none. */
const buttonOf = async (mail: Mail, workspaceId: number, deps: ValueDeps): Promise<string | null> => {
  const { id, kind } = mail
  const { links } = deps
  const deliveryId = deliveryIdAt(id, 0)
  if (kind === 'sign_in') return entryOf(mail, workspaceId, deps)
  if (kind === 'payment_failed') return links.urlOf({ kind: 'pay', deliveryId })
  return kind === 'opt_in_confirmation' ? links.urlOf({ kind: 'confirm', deliveryId }) : null
}

/** Returns the files that an order has given with where its buyer gets them: on the members' side, or by the mail alone while the workspace has no domain. */
const linkedDownloads = async (
  { id }: Mail,
  { orderId, workspaceId }: { readonly orderId: number; readonly workspaceId: number },
  { read, load, links, at }: ValueDeps,
) => {
  const origin = await originOf(load, workspaceId)
  const deliveryId = deliveryIdAt(id, 0)
  return (await filesOf(orderId, at, readerOver(read))).map((file) => ({
    name: file.name ?? file.file_name ?? '',
    url:
      origin === undefined
        ? links.urlOf({ kind: 'download', deliveryId, number: file.id })
        : origin + orderFilePath(orderId, file.id),
  }))
}

/** Returns what the mail says of the order that it is about. */
const orderValues = async (mail: Mail, workspaceId: number, deps: ValueDeps) => {
  const { kind, values } = mail
  const { read } = deps
  const { one } = readerOver(read)
  const locale = localeIn(values.locale)
  const [placed, bill] = await Promise.all([one(order, idIn(values.order_id)), one(invoice, idIn(values.invoice_id))])
  if (!placed) return {}
  const number = orderNumber(placed.order_number)
  const amount = bill && moneyIn(locale, bill.total_amount ?? '0', bill.currency ?? placed.currency)
  if (kind === 'order_confirmation' && bill)
    return { order: { number, total: amount ?? '', lines: await boughtLines(bill, locale, read) } }
  if (kind !== 'download_ready') return { order: { number }, ...(amount !== undefined && { amount }) }
  const downloads = await linkedDownloads(mail, { orderId: placed.id, workspaceId }, deps)
  return { order: { number }, downloads }
}

/** Returns the values of an owed mail, read from the records that it is about. */
export const owedValues = async (mail: Mail, workspace: Document, deps: ValueDeps): Promise<JsonObject> => ({
  business_name: await businessName(workspace, deps.read),
  url: await buttonOf(mail, Number(workspace.id), deps),
  ...(await orderValues(mail, Number(workspace.id), deps)),
  ...(await shipmentOf(idIn(mail.values.fulfillment_id), deps.read)),
})
