import { ask } from '../../kernel/decide/ask.ts'
import { managed } from '../../kernel/model/field.ts'
import { amount, integer, reference, text } from '../../kernel/model/fields.ts'
import { charging, refunding } from '../../payments/public.ts'
import { processModel } from '../../resources/process/model.ts'
import { call } from '../../resources/process/steps.ts'
import { invoice } from '../invoice/model.ts'
import { orders } from '../order/rules.ts'
import { isOwed } from '../statuses.ts'
import { transaction } from '../transaction/model.ts'
import { gatewayProcess } from './gateway-process.ts'
import { IN_BACKGROUND } from './retry-policy.ts'

/** Attempt to charge an invoice: calls the gateway once and records its answer once. */
export const charge = processModel('orders/charge', {
  attributes: {
    order_id: reference('order', { required: true }),
    invoice_id: reference('orders/invoice', { required: true }),
    gateway_account_id: integer({ required: true }),
    payment_method_id: text({ required: true }),
    amount: amount({ required: true }),
    currency: text({ required: true }),
    about: text({ required: true }),
    result: managed(text({ nullable: true })),
    external_id: managed(text({ nullable: true })),
    reason: managed(text({ nullable: true })),
  },
  events: {
    ...{ begun: 'ChargeBegun', moved: 'ChargeMoved', stuck: 'ChargeStuck', resumed: 'ChargeResumed' },
    ...{ calledOff: 'ChargeCalledOff', completed: 'ChargeSettled', undone: 'ChargeFailed' },
  },
})

export const charges = gatewayProcess(charge, {
  step: 'charge',
  port: charging,
  request: ({ workspace_id = 0, gateway_account_id, payment_method_id, amount, currency, about }) => ({
    ...{ workspace_id, gateway_account_id, payment_method_id, amount, currency, about },
  }),
  saveResult: ({ result, external_id, reason }) => ({ result, external_id, reason }),
  async isStillWanted({ order_id, invoice_id }, streams) {
    const target = (await streams(orders, order_id)).one(invoice, invoice_id)
    return target !== undefined && isOwed(target)
  },
  record: ({ order_id, invoice_id, result, external_id, reason, payment_method_id }, mint) =>
    ask(orders, order_id, 'recordCharge', {
      transaction_id: mint(transaction),
      result: result === 'approved' ? result : 'declined',
      external_id: external_id ?? '',
      ...{ invoice_id, reason, payment_method_id },
    }),
  hasEffect: ({ result }) => result === 'approved',
  // A second payment of an invoice is not recorded, so it goes back to the buyer.
  takeBack: call(charge, {
    ...IN_BACKGROUND,
    port: refunding,
    request: ({ workspace_id = 0, gateway_account_id, external_id, amount, currency }) => ({
      ...{ workspace_id, gateway_account_id, external_id: external_id ?? '', amount, currency, reason: 'duplicate' },
    }),
  }),
})
