import { stocks } from '../../inventory/public.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { MintId } from '../../kernel/values/ids.ts'
import { toMinor } from '../../kernel/values/money.ts'
import { charging, confirming, refunding, SIMULATOR, saving } from '../../payments/public.ts'
import { process } from '../../resources/process/index.ts'
import { call, command, wait } from '../../resources/process/steps.ts'
import { redeemDiscount, releaseDiscount, reserveDiscount } from '../../store/public.ts'
import { addresses } from '../addresses.ts'
import { IN_BACKGROUND, interactiveRetry, TIMEOUT_MS } from '../billing/retry-policy.ts'
import { invoice, invoiceLineItem } from '../invoice/model.ts'
import { lineItem } from '../order/line-item.ts'
import { orders } from '../order/rules.ts'
import type { Sale } from '../sale.ts'
import { transaction } from '../transaction/model.ts'
import { CHARGE, isLeftOpen, isUnconfirmed } from './left-open.ts'
import { checkout } from './model.ts'
import { cartClaims, checkoutRules, loadFacts } from './rules.ts'

type Checkout = RecordOf<typeof checkout>

const MINUTE = 60_000

/** Step at which a checkout waits for the buyer to answer the bank. */
export const BANK = 'authentication'
/** Shorter than the whole checkout may take, so that there is time to find out what the buyer did. */
const BANK_ASKS_MS = 10 * MINUTE

const asksBank = ({ action }: Checkout): number => (action === null ? 0 : 1)

const declined = (reason: string | null): string => `declined: ${reason ?? 'no reason given'}`

const isCharged = ({ total_amount, currency }: Checkout): boolean => toMinor(total_amount ?? '0', currency ?? '') !== 0n

/** Account that a gateway request uses. */
const accountOf = ({ workspace_id = 0, gateway_account_id }: Checkout) => ({
  workspace_id,
  gateway_account_id: gateway_account_id ?? SIMULATOR,
})

const money = ({ total_amount, currency }: Checkout) => ({ amount: total_amount ?? '0', currency: currency ?? '' })

const saleOf = (record: Checkout, mint: MintId): Sale => ({
  invoice_id: mint(invoice),
  transaction_id: mint(transaction),
  payment_processor: record.payment_processor ?? 'external',
  gateway_account_id: record.gateway_account_id ?? SIMULATOR,
  payment_method_id: record.payment_method_id,
  charge_id: record.charge_id,
  currency: record.currency ?? '',
  plan: record.plan,
  trial_end_at: record.trial_end_at,
  lines: record.lines ?? [],
  subtotal_amount: record.subtotal_amount ?? '0',
  shipping_amount: record.shipping_amount ?? '0',
  discount: record.discount_amount ?? '0',
  tax: record.tax_amount ?? '0',
  total_amount: record.total_amount ?? '0',
})

const addressesOf = (record: Checkout) =>
  Object.fromEntries(Object.keys(addresses).map((name) => [name, record[name as keyof typeof addresses]]))

const soldByOf = ({ sold_page_id, sold_step_id, sold_funnel_id, session_id }: Checkout) => ({
  ...{ sold_page_id, sold_step_id, sold_funnel_id, session_id },
})

const discountsOf = ({ discount_ids }: Checkout): number => discount_ids.length
const stocksOf = ({ stocks }: Checkout): number => stocks?.length ?? 0
const orderOf = ({ ordering_id }: Checkout): number => ordering_id ?? 0

/** Command for the redemption of the current repetition. */
const ofRedemption = (act: (id: number, of: Checkout) => Ask) =>
  command(checkout, { command: (record) => act(record.redemption_ids[record.part] ?? 0, record) })

/** Command for the stock of the current repetition. */
const ofStock = (act: 'reserve' | 'commit' | 'release') =>
  command(checkout, {
    command: (record) => {
      const { stock_id, quantity } = record.stocks?.[record.part] ?? { stock_id: 0, quantity: 0 }
      return ask(stocks, stock_id, act, { order_id: orderOf(record), quantity })
    },
  })

const released = ofRedemption((id) => releaseDiscount(id))

/**
 * Reserves discounts and stock, saves the payment method, charges it, waits for the buyer to answer a bank that asks, commits the reservations and places the order. On
 * failure it compensates in reverse order. `commit` and `redeem` need no compensation of their own: compensating the
 * reservations releases what was committed or redeemed.
 */
export const checkouts = process(checkout, {
  withinMs: 15 * MINUTE,
  loadFacts,
  save: checkoutRules,
  claims: cartClaims,
  steps: [
    {
      name: 'discounts',
      repeat: discountsOf,
      invoke: command(checkout, {
        command: ({ discount_ids, part, contact_id, workspace_id = 0, ordering_id: order_id }) =>
          reserveDiscount({ discount_id: discount_ids[part] ?? 0, contact_id, order_id }, workspace_id),
        saveResult: (id, { redemption_ids }) => ({ redemption_ids: [...redemption_ids, id] }),
      }),
      compensate: released,
    },
    { name: 'stock', repeat: stocksOf, invoke: ofStock('reserve'), compensate: ofStock('release') },
    {
      name: 'method',
      repeat: ({ payment_method_token }) => (payment_method_token === null ? 0 : 1),
      invoke: call(checkout, {
        port: saving,
        onUnknown: 'retry',
        timeoutMs: TIMEOUT_MS,
        retryAfterMs: interactiveRetry,
        request: (of) => ({
          ...accountOf(of),
          token: of.payment_method_token ?? '',
          contact_id: of.contact_id,
          email_address: null,
          ...(of.cart !== null && isCharged(of) && { charged: true }),
        }),
        saveResult: ({ payment_method_id }) => ({ payment_method_id }),
      }),
    },
    {
      name: CHARGE,
      repeat: (of) => (isCharged(of) ? 1 : 0),
      compensatesLast: isLeftOpen,
      invoke: call(checkout, {
        port: charging,
        onUnknown: 'query',
        timeoutMs: TIMEOUT_MS,
        retryAfterMs: interactiveRetry,
        request: (of) => ({
          ...{ ...accountOf(of), ...money(of) },
          payment_method_id: of.payment_method_id ?? '',
          about: `Checkout ${of.id}`,
          ...(of.cart !== null && { present: true }),
        }),
        refuse: ({ result, reason }) => (result === 'declined' ? declined(reason) : undefined),
        saveResult: ({ external_id: charge_id, action, payment_method_id }) => ({
          charge_id,
          ...(action && { action }),
          ...(payment_method_id !== undefined && { payment_method_id }),
        }),
      }),
      compensate: call(checkout, {
        ...IN_BACKGROUND,
        port: refunding,
        request: (of) => ({
          ...{ ...accountOf(of), ...money(of) },
          external_id: of.charge_id ?? '',
          reason: 'requested_by_customer',
          ...(isUnconfirmed(of) && { unconfirmed: true }),
        }),
      }),
    },
    { name: BANK, repeat: asksBank, invoke: wait(checkout, { withinMs: BANK_ASKS_MS }) },
    {
      name: 'confirm',
      repeat: asksBank,
      invoke: call(checkout, {
        port: confirming,
        onUnknown: 'retry',
        timeoutMs: TIMEOUT_MS,
        retryAfterMs: interactiveRetry,
        request: (of) => ({ ...accountOf(of), external_id: of.charge_id ?? '', answer: of.bank_answer }),
        refuse: ({ result, reason }) => (result === 'approved' ? undefined : declined(reason)),
      }),
    },
    { name: 'commit', repeat: stocksOf, invoke: ofStock('commit') },
    {
      name: 'redeem',
      repeat: discountsOf,
      invoke: ofRedemption((id, of) => redeemDiscount(id, orderOf(of))),
    },
    {
      name: 'place',
      invoke: command(checkout, {
        command: (of, mint) =>
          ask(
            orders,
            orderOf(of),
            'sell',
            {
              order_type: of.plan ? 'subscription-order' : 'one-time-order',
              live_mode: of.live_mode,
              contact_id: of.contact_id,
              notes: of.notes,
              ...addressesOf(of),
              ...soldByOf(of),
              sale: saleOf(of, mint),
            },
            {
              isNew: true,
              ids: [lineItem, invoiceLineItem].flatMap((model) => (of.lines ?? []).map(() => mint(model))),
            },
          ),
        saveResult: (order_id) => ({ order_id }),
      }),
    },
  ],
})
