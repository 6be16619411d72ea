import { ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { policy } from '../../kernel/react/policy.ts'
import { toMinor } from '../../kernel/values/money.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { checkout } from '../../orders/checkout/model.ts'
import { order } from '../../orders/order/model.ts'
import { transaction } from '../../orders/transaction/model.ts'
import { gatewayNotification } from '../notification.ts'
import { unknownPayment } from './index.ts'

type Payment = Readonly<Record<'external_id' | 'currency' | 'amount', string>> & { readonly gateway_account_id: number }

const minor = (amount: unknown, currency: unknown): bigint => toMinor(String(amount), String(currency)) ?? 0n

/** Whether a checkout or an order has the payment, or the gateway has told that all of it was given back. */
const isSettled = async (read: FactReader, { external_id, gateway_account_id, amount, currency }: Payment) => {
  const where = { external_id, gateway_account_id, currency }
  const [sales, checkouts, refunds] = await Promise.all([
    read.find(transaction.name, { where: { external_id }, limit: 1 }),
    read.find(checkout.name, { where: { charge_id: external_id }, limit: 1 }),
    read.find(gatewayNotification.name, { where, sort: { by: 'minor_amount', descending: true }, limit: 1 }),
  ])
  const isRefunded = refunds.some((told) => minor(told.amount, currency) >= minor(amount, currency))
  return sales.length > 0 || checkouts.length > 0 || isRefunded
}

const ofPayment = async (read: FactReader, external_id: string) => {
  const reported = await read.find(unknownPayment.name, { where: { external_id } })
  const isOver = await Promise.all(reported.map((one) => isSettled(read, one as unknown as Payment)))
  return reported
    .filter((_, index) => isOver[index])
    .map(({ id }) => ask(unknownPayment.aggregate, Number(id), 'remove', {}))
}

/** A gateway may tell of a payment before its answer to the charge is recorded here. So all these events trigger the check. */
export const knownPaymentsAreSettled = policy({
  name: 'known-payments-are-settled',
  on: [
    unknownPayment.model.event.UnknownPaymentReported,
    order.event.TransactionRecorded,
    gatewayNotification.model.event.GatewayRefunded,
  ],
  react: ({ data: { external_id } }, read) => ofPayment(read, external_id),
})

/** The charge of a checkout that was compensated is known, and was given back. */
export const paymentsGivenBackAreSettled = policy({
  name: 'payments-given-back-are-settled',
  on: [checkout.event.CheckoutUndone],
  async react({ stream }, read) {
    const undone = await read.get(checkout.name, parseStream(stream).id)
    return typeof undone?.charge_id === 'string' ? ofPayment(read, undone.charge_id) : []
  },
})
