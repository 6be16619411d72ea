import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Plan } from '../../../domain/orders/billing/schedule.ts'
import type { Random } from '../../support/random.ts'
import { saleOf } from '../../support/traffic/sales.ts'
import { CURRENCY, money, PRICES, PRODUCT, termsOf, VARIANT } from './catalogue.ts'
import { ACCOUNT } from './client.ts'
import { DAY } from './clocks.ts'

/** A subscription that was bought. */
export interface Bought {
  readonly price: number
  readonly quantity: number
  /** Minor units that the checkout charged. */
  readonly paid: bigint
  /** Input of the order. @param charge_id the charge at the gateway; `null`: none */
  readonly placing: (charge_id: string | null, mint: () => number) => JsonObject
}

/** Buys one to three pieces: at the full price, with a discount, for nothing, or after a trial. */
export const randomSale = (numbers: Random, at: number): Bought => {
  const price = numbers.pick([21, 22, ...PRICES.keys()])
  const quantity = 1 + numbers.below(3)
  const { minor } = PRICES.get(price)!
  const hasTrial = numbers.below(4) === 0
  const whole = hasTrial ? 0n : minor * BigInt(quantity)
  const discount = numbers.pick([0n, 0n, 0n, whole / 3n, whole])
  const paid = whole - discount
  const anchor = new Date(at + (hasTrial ? (1 + numbers.below(30)) * DAY : 0)).toISOString()
  const agreed = termsOf(price)
  const payments = numbers.below(5) === 0 ? 1 + numbers.below(6) : null
  const plan: Plan = { anchor, zone: 'Europe/Berlin', interval: agreed.interval, count: 1, payments }
  const amounts = { subtotal_amount: money(whole), discount: money(discount), total_amount: money(paid) }
  const line = {
    ...{ variant_id: VARIANT, products_price_id: price, product_id: PRODUCT, quantity, agreed },
    ...{ payment_type: 'subscription', amount: money(hasTrial ? 0n : minor), discount: money(discount) },
  }
  const placing: Bought['placing'] = (charge_id, mint) => ({
    ...{ order_type: 'subscription-order', live_mode: false, contact_id: 5 },
    sale: {
      ...saleOf({ ...amounts, plan, charge_id, lines: [line], currency: CURRENCY, payment_processor: 'payments_ai' }),
      ...{ gateway_account_id: ACCOUNT, payment_method_id: 'pm', trial_end_at: hasTrial ? anchor : null },
      ...{ invoice_id: mint(), transaction_id: mint() },
    },
  })
  return { price, quantity, paid, placing }
}
