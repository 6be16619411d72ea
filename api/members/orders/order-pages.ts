import { boughtLines, moneyIn } from '../../../domain/emails/public.ts'
import { boundTo } from '../../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import { download } from '../../../domain/media/public.ts'
import { order as orderModel, orderNumber } from '../../../domain/orders/order/model.ts'
import { filesOf, orderFilePath, orderPath } from '../../../domain/orders/public.ts'
import { SENT_ON_S } from '../../download-links.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import type { Answer, SignedInRequest } from '../request.ts'
import { shownTime } from '../shell.ts'
import {
  isCancelable,
  isForShop,
  ORDERS,
  type Order,
  type OwnOrder,
  ownOrder,
  paymentOf,
  standingOf,
} from './own-order.ts'

/** Orders of a page. */
export const ORDERS_PER_PAGE = 25
const open = recordOf(orderModel)

const itemOf = (request: SignedInRequest, one: Order): Html => {
  const { words, language } = request
  const title = filled(words.order.title, { number: orderNumber(one.order_number) })
  const total = moneyIn(language, one.total_amount, one.currency)
  const standing = standingOf(request, one) ?? paymentOf(request, one.billing_status)
  return html`<li class="item"><a href="${orderPath(one.id)}">${title}</a><br><span class="quiet">${shownTime(request, one.created_at)} · ${total} · ${standing}</span></li>`
}

const beforeOf = ({ ctx }: SignedInRequest): number | undefined => {
  const sent = String(ctx.query.before ?? '')
  return /^\d{1,15}$/.test(sent) ? Number(sent) : undefined
}

/** Lists the orders of the member, the newest first. */
export const showOrders = async (request: SignedInRequest): Promise<Answer> => {
  const { service, viewer, words } = request
  const before = beforeOf(request)
  const found = await service.everywhere.find('order', {
    where: { contact_id: viewer.contact.id, ...(before !== undefined && { id: { $lt: before } }) },
    sort: { by: 'id', descending: true },
    limit: ORDERS_PER_PAGE + 1,
  })
  const shown = found.slice(0, ORDERS_PER_PAGE).map((document) => open(document))
  const items = shown.map((one) => itemOf(request, one))
  const newest = before !== undefined && html`<a href="${ORDERS}">${words.order.newest}</a>`
  const older =
    found.length > ORDERS_PER_PAGE && html`<a href="${ORDERS}?before=${shown.at(-1)?.id}">${words.order.older}</a>`
  const list = items.length === 0 ? html`<p>${words.order.none}</p>` : html`<ul class="plain">${items}</ul>`
  return { title: words.orders, within: ORDERS, body: html`${list}<p class="pager">${newest}${older}</p>` }
}

const itemsTable = async (
  { service, site, language, words }: SignedInRequest,
  { order, invoices }: OwnOrder,
): Promise<Html | undefined> => {
  const [first] = invoices
  if (!first) return undefined
  const rows = (await boughtLines(first, language, boundTo(service.everywhere, site))).map(
    ({ name, quantity, amount }) =>
      html`<tr><th scope="row">${String(name)}</th><td>${quantity === null ? '' : Number(quantity)}</td><td>${String(amount)}</td></tr>`,
  )
  const total = moneyIn(language, first.total_amount ?? '0', order.currency)
  return html`<table><thead><tr><th scope="col">${words.order.item}</th><th scope="col">${words.order.quantity}</th><th scope="col">${words.order.amount}</th></tr></thead><tbody>${rows}</tbody><tfoot><tr><th scope="row" colspan="2">${words.order.total}</th><td>${total}</td></tr></tfoot></table>`
}

/** Returns the files that an order has given, as the door to them decides. */
const filesNow = ({ service, site, at }: SignedInRequest, orderId: number) =>
  filesOf(orderId, at, readerOver(boundTo(service.everywhere, site)))

const filesList = async (request: SignedInRequest, { order }: OwnOrder): Promise<Html | undefined> => {
  const { words } = request
  const files = await filesNow(request, order.id)
  if (files.length === 0) return undefined
  const links = files
    .filter(({ isOpen }) => isOpen)
    .map(
      ({ id, name, file_name }) =>
        html`<li class="item"><a href="${orderFilePath(order.id, id)}">${name ?? file_name ?? String(id)}</a></li>`,
    )
  return html`<h2>${words.order.downloads}</h2>${links.length > 0 ? html`<ul class="plain">${links}</ul>` : html`<p>${words.order.noAccess}</p>`}`
}

const subscriptionOf = (request: SignedInRequest, own: OwnOrder): Html | undefined => {
  const { words } = request
  const { order } = own
  const standing = standingOf(request, order)
  if (standing === undefined) return undefined
  const atShop = isForShop(own) && html`<p class="quiet">${words.order.cancelAtShop}</p>`
  const cancel = isCancelable(own) && html`<p><a href="${orderPath(order.id)}/cancel">${words.order.cancel}</a></p>`
  return html`<h2>${words.order.subscription}</h2><p>${standing}</p>${cancel}${atShop}`
}

/** Shows an order of the member with its files and its subscription. */
export const showOrder = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const own = await ownOrder(request, id)
  if (!own) return undefined
  const { words } = request
  const { order } = own
  const [items, files] = await Promise.all([itemsTable(request, own), filesList(request, own)])
  return {
    title: filled(words.order.title, { number: orderNumber(order.order_number) }),
    within: ORDERS,
    body: html`<dl><dt>${words.order.date}</dt><dd>${shownTime(request, order.created_at)}</dd>
<dt>${words.order.status}</dt><dd>${paymentOf(request, order.billing_status)}</dd></dl>
${items}${files}${subscriptionOf(request, own)}<p><a href="${ORDERS}">${words.order.back}</a></p>`,
  }
}

/** Leads to a file of an order, if the member may have it now. */
export const showDownload = async (request: SignedInRequest, [id = 0, fileId]: readonly number[]): Promise<Answer> => {
  const { service, site } = request
  const own = await ownOrder(request, id)
  const file = own && (await filesNow(request, id)).find((one) => one.id === fileId)
  if (!file?.isOpen) return undefined
  const of = { resource: download.name, id: file.id, workspaceId: site.workspaceId }
  return { to: service.download(of, SENT_ON_S) }
}
