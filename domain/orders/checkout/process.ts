import type { RecordOf } from '../../kernel/model.ts'
import { toMinor } from '../../kernel/money.ts'
import { process } from '../../kinds/process/index.ts'
import { calls, tells } from '../../kinds/process/steps.ts'
import { charging, refunding, SIMULATOR, saving } from '../../payments/ports.ts'
import { addresses } from '../addresses.ts'
import { hurried, patient, TIMEOUT_MS } from '../billing/patience.ts'
import { orders } from '../order/rules.ts'
import type { Sale } from '../sale.ts'
import { checkout } from './model.ts'
import { begins, needs } from './rules.ts'

type Checkout = RecordOf<typeof checkout>

const MINUTE = 60_000

const isCharged = ({ total_amount, currency }: Checkout): boolean => toMinor(total_amount ?? '0', currency ?? '') !== 0n

/** What a gateway is told of whom and for whom. */
const at = ({ workspace_id = 0 }: Checkout) => ({ workspace_id, gateway_account_id: SIMULATOR })

const money = ({ total_amount, currency }: Checkout) => ({ amount: total_amount ?? '0', currency: currency ?? '' })

const saleOf = (of: Checkout, mint: (kind: string) => number): Sale => ({
  invoice_id: mint('orders/invoice'),
  transaction_id: mint('orders/transaction'),
  payment_processor: of.payment_processor ?? 'external',
  gateway_account_id: SIMULATOR,
  payment_method_id: of.payment_method_id,
  charge_id: of.charge_id,
  currency: of.currency ?? '',
  plan: of.plan,
  trial_end_at: of.trial_end_at,
  lines: of.lines ?? [],
  subtotal_amount: of.subtotal_amount ?? '0',
  shipping_amount: of.shipping_amount ?? '0',
  discount: of.discount_amount ?? '0',
  tax: of.tax_amount ?? '0',
  total_amount: of.total_amount ?? '0',
})

const addressesOf = (of: Checkout) =>
  Object.fromEntries(Object.keys(addresses).map((name) => [name, of[name as keyof typeof addresses]]))

/** Keeps the payment method, charges it and places the order; or gives back what was charged. */
export const checkouts = process(checkout, {
  withinMs: 15 * MINUTE,
  needs,
  save: begins,
  steps: [
    {
      name: 'method',
      when: ({ payment_method_token }) => payment_method_token !== null,
      does: calls(checkout, {
        port: saving,
        inDoubt: 'again',
        timeoutMs: TIMEOUT_MS,
        again: hurried,
        asks: (of) => ({
          ...at(of),
          token: of.payment_method_token ?? '',
          contact_id: of.contact_id,
          email_address: null,
        }),
        keeps: ({ payment_method_id }) => ({ payment_method_id }),
      }),
    },
    {
      name: 'charge',
      when: isCharged,
      does: calls(checkout, {
        port: charging,
        inDoubt: 'ask',
        timeoutMs: TIMEOUT_MS,
        again: hurried,
        asks: (of) => ({
          ...{ ...at(of), ...money(of) },
          payment_method_id: of.payment_method_id ?? '',
          about: `Checkout ${of.public_id}`,
        }),
        refuses: ({ result, reason }) =>
          result === 'declined' ? `declined: ${reason ?? 'no reason given'}` : undefined,
        keeps: ({ external_id: charge_id }) => ({ charge_id }),
      }),
      undo: calls(checkout, {
        port: refunding,
        inDoubt: 'ask',
        timeoutMs: TIMEOUT_MS,
        again: patient,
        asks: (of) => ({
          ...{ ...at(of), ...money(of) },
          external_id: of.charge_id ?? '',
          reason: 'requested_by_customer',
        }),
      }),
    },
    {
      name: 'place',
      does: tells(checkout, {
        tells: (of, stamp) => ({
          aggregate: orders,
          id: 'new',
          command: (mint) => ({
            type: 'create',
            wanted: {
              order_type: of.plan ? 'subscription-order' : 'one-time-order',
              live_mode: of.live_mode,
              contact_id: of.contact_id,
              notes: of.notes,
              ...addressesOf(of),
              sale: saleOf(of, mint),
            },
            ids: ['orders/line_item', 'orders/invoices/line_item'].flatMap((kind) =>
              (of.lines ?? []).map(() => mint(kind)),
            ),
            ...stamp,
          }),
        }),
        keeps: (order_id) => ({ order_id }),
      }),
    },
  ],
})
