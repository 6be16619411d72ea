import { contact } from '../../contacts/public.ts'
import { fulfillment, fulfillmentLineItem } from '../../fulfillment/fulfillment/model.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { policy } from '../../kernel/react/policy.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { account } from '../../members/account/model.ts'
import { order } from '../../orders/order/model.ts'
import { filesOf, invoice } from '../../orders/public.ts'
import { beginOwed } from './begin.ts'
import { isSoldHere, owesMail } from './owes-mail.ts'

/** Confirms an order to its buyer when it is paid, and says where the files are that were bought. Each order has a confirmation of its own. */
export const buyersKnowTheirOrders = policy({
  name: 'buyers-know-their-orders',
  on: [order.event.PurchaseSucceeded],
  async react({ stream, metadata: { at, workspace_id: workspaceId = 0 } }, documents) {
    const read = readerOver(documents)
    const { id } = parseStream(stream)
    const placed = await read.one(order, id)
    if (!placed || !(await owesMail(placed, at, documents))) return []
    const [bill] = await read.find(invoice, { where: { order_id: id }, limit: 1 })
    const mail = { cause: `order-${id}`, contactId: placed.contact_id, workspaceId }
    const about = { order_id: id, ...(bill && { invoice_id: bill.id }) }
    const files = await filesOf(id, at, read)
    return [
      ...(await beginOwed({ ...mail, kind: 'order_confirmation', about }, documents)),
      ...(files.length === 0 ? [] : await beginOwed({ ...mail, kind: 'download_ready', about }, documents)),
    ]
  },
})

/** Tells a buyer that something is on its way, if the fulfilment says that it is to be told. */
export const buyersKnowShipments = policy({
  name: 'buyers-know-shipments',
  on: [fulfillment.event.FulfillmentCreated],
  when: ({ data }) => data.notify_customer === true,
  async react({ stream, data, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const { id } = parseStream(stream)
    const lines = await readerOver(documents).find(fulfillmentLineItem, { where: { fulfillment_id: id } })
    const contactId = idIn(data.contact_id)
    if (contactId === null || lines.length === 0) return []
    const about = { fulfillment_id: id }
    return beginOwed({ kind: 'order_shipped', cause: `fulfillment-${id}`, contactId, workspaceId, about }, documents)
  },
})

/** Returns an order that a checkout of ours has made. */
const soldHere = async (id: number, documents: FactReader) => {
  const found = await readerOver(documents).one(order, id)
  return found && isSoldHere(found) ? found : undefined
}

/** Tells a buyer that a charge was declined, and where to pay. */
export const buyersKnowDeclinedCharges = policy({
  name: 'buyers-know-declined-charges',
  on: [order.event.TransactionRecorded],
  when: ({ data }) => data.result === 'declined' && data.external_type === 'sale',
  async react(
    { stream, data: { transaction_id, invoice_id }, metadata: { workspace_id: workspaceId = 0 } },
    documents,
  ) {
    const order_id = parseStream(stream).id
    const owing = await soldHere(order_id, documents)
    const invoiceId = idIn(invoice_id)
    if (!owing || invoiceId === null) return []
    const mail = { cause: `transaction-${transaction_id}`, contactId: owing.contact_id, workspaceId }
    return beginOwed({ ...mail, kind: 'payment_failed', about: { order_id, invoice_id: invoiceId } }, documents)
  },
})

/** Tells a buyer that a subscription has ended. One that is taken up again can end again. */
export const buyersKnowEndedSubscriptions = policy({
  name: 'buyers-know-ended-subscriptions',
  on: [order.event.SubscriptionChurned],
  async react({ id, stream, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const order_id = parseStream(stream).id
    const ended = await soldHere(order_id, documents)
    if (!ended) return []
    const mail = { cause: id, contactId: ended.contact_id, workspaceId }
    return beginOwed({ ...mail, kind: 'subscription_ended', about: { order_id } }, documents)
  },
})

/** Sends the mail that asks a contact to confirm a submission. */
export const contactsConfirmByMail = policy({
  name: 'contacts-confirm-by-mail',
  on: [contact.event.ContactAskedByMail],
  react({ id, stream, data: { form_submission_id }, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const mail = { cause: id, contactId: parseStream(stream).id, workspaceId }
    return beginOwed({ ...mail, kind: 'opt_in_confirmation', about: { form_submission_id } }, documents)
  },
})

/** Sends a contact the link by which it signs in. */
export const membersSignInByMail = policy({
  name: 'members-sign-in-by-mail',
  on: [account.event.SignInLinkAsked],
  async react({ id, stream, data: { number }, metadata: { workspace_id: workspaceId = 0 } }, documents) {
    const account_id = parseStream(stream).id
    const held = await readerOver(documents).one(account, account_id)
    if (!held) return []
    const mail = { cause: id, contactId: held.contact_id, workspaceId }
    return beginOwed({ ...mail, kind: 'sign_in', about: { account_id, link: number } }, documents)
  },
})
