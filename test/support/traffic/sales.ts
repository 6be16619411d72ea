import type { Plan } from '../../../domain/orders/billing/schedule.ts'
import type { Sale } from '../../../domain/orders/sale.ts'

/** The catalogue price of the sales in tests. */
export const RECURRING = { id: 21, workspace_id: 7, product_id: 3, amount: '30.00', payment_type: 'subscription' }

/** A sale as a checkout could have made it, at 30.00 a month. */
export const saleOf = (more: Partial<Sale> = {}): Omit<Sale, 'invoice_id' | 'transaction_id'> => ({
  payment_processor: 'stripe',
  gateway_account_id: 9,
  payment_method_id: 'pm',
  charge_id: 'ch-0',
  currency: 'USD',
  plan: null,
  trial_end_at: null,
  lines: [
    {
      ...{ variant_id: 11, products_price_id: 21, product_id: 3, quantity: 1 },
      ...{ payment_type: 'subscription', amount: '30.00', discount: '0.00' },
    },
  ],
  subtotal_amount: '30.00',
  shipping_amount: '0.00',
  discount: '0.00',
  tax: '0.00',
  total_amount: '30.00',
  ...more,
})

export const monthly = (anchor: string, more: Partial<Plan> = {}): Plan => ({
  ...{ anchor, zone: 'UTC', interval: 'months', count: 1, payments: null },
  ...more,
})
