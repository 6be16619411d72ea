import { ask } from '../../../domain/kernel/decide/ask.ts'
import { orderNumber } from '../../../domain/orders/order/model.ts'
import { orderPath, orders } from '../../../domain/orders/public.ts'
import { filled } from '../../html/filled.ts'
import { html } from '../../html/html.ts'
import { saying } from '../../html/page.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import type { Answer, SignedInRequest } from '../request.ts'
import { shownTime } from '../shell.ts'
import { isCancelable, isForShop, ORDERS, type Order, ownOrder, standingOf } from './own-order.ts'

/** Says until when a subscription would still give access. */
const consequenceOf = (request: SignedInRequest, { paid_until }: Order): string => {
  const { words, at } = request
  return paid_until !== null && paid_until > at
    ? filled(words.order.cancelText, { time: shownTime(request, paid_until) })
    : words.order.cancelNow
}

/** Asks whether a subscription is to be cancelled. One that is says when it ends. */
export const showCancel = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const own = await ownOrder(request, id)
  const standing = own && standingOf(request, own.order)
  if (!own || standing === undefined) return undefined
  const { words } = request
  const path = orderPath(id)
  const back = html`<p><a href="${path}">${words.order.keep}</a></p>`
  if (!isCancelable(own))
    return saying(
      words.order.subscription,
      isForShop(own) ? words.order.cancelAtShop : standing,
      html`<p><a href="${ORDERS}">${words.order.back}</a></p>`,
    )
  return {
    title: filled(words.order.cancelTitle, { number: orderNumber(own.order.order_number) }),
    within: ORDERS,
    body: html`<p>${consequenceOf(request, own.order)}</p>${form(request, `${path}/cancel`, html`<button>${words.order.cancelButton}</button>`)}${back}`,
  }
}

/** Cancels a subscription at the end of what is paid. One that is cancelled stays so. */
export const cancel = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const own = await ownOrder(request, id)
  if (!own || standingOf(request, own.order) === undefined) return undefined
  if (!isCancelable(own)) return { to: `${orderPath(id)}/cancel` }
  const refused = await carryOut(request, ask(orders, id, 'cancel', { canceled_by: 'Member' }))
  const isCancelled = refused && !isCancelable((await ownOrder(request, id)) ?? own)
  if (refused && !isCancelled) throw refused
  return { to: orderPath(id) }
}
