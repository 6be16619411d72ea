import { fromMinor, toMinor } from '../../kernel/money.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Asked, Reader } from '../../kernel/rules.ts'
import { zoneOf } from '../../kinds/time-zone.ts'
import { findLines, type Named, pricesAndVariants, sumOf } from '../lines.ts'
import type { checkout } from './model.ts'
import { beginningOf, firstAmount } from './recurring.ts'

type Checkout = Asked<typeof checkout, { readonly line_items_attributes: readonly Named[] }>

const LINES = 'checkout.line_items_attributes'

/** What is sold, where, and who would charge for it. */
export const needs = async ({ before, wanted, workspaceId }: Checkout, read: Reader) => {
  const named = before ? [] : (wanted.line_items_attributes ?? [])
  const [catalogue, workspace] = await Promise.all([
    pricesAndVariants(named, read),
    before ? undefined : read.documents.get('workspace', workspaceId),
  ])
  const zone = zoneOf(typeof workspace?.time_zone === 'string' ? workspace.time_zone : null)
  return { catalogue, currency: String(workspace?.currency ?? 'USD'), zone }
}
type Facts = Awaited<ReturnType<typeof needs>>

/** What is bought comes to: at the prices of the catalogue, in the currency of the workspace. */
const price = ({ before, wanted, at, workspaceId }: Checkout, { catalogue, currency, zone }: Facts) => {
  if (before) return undefined
  const found = findLines(wanted.line_items_attributes ?? [], catalogue, workspaceId, LINES)
  if (found instanceof Refusal) return found
  if (found.some((line) => line.price.archived))
    return refuse.invalid('Line items products price is not sold any more', LINES, 'invalid')
  const beginning = beginningOf(
    found.map((line) => line.price),
    at,
    zone,
    LINES,
  )
  if (beginning instanceof Refusal) return beginning
  const none = fromMinor(0n, currency)
  const lines = found.map(({ price: of, product_id, variant_id, products_price_id, quantity }) => ({
    ...{ product_id, variant_id, products_price_id, quantity },
    payment_type: of.payment_type,
    amount: firstAmount(of, currency),
    discount: none,
  }))
  const total = fromMinor(sumOf(lines, currency), currency)
  return {
    ...beginning,
    ...{ lines, currency },
    subtotal_amount: total,
    discount_amount: none,
    shipping_amount: none,
    tax_amount: none,
    total_amount: total,
  }
}

/** Whether there is anything to pay, now or later. */
const isPaid = ({ total_amount, currency, plan }: Checkout['after']): boolean =>
  plan !== null || toMinor(total_amount ?? '0', currency ?? '') !== 0n

/** Who charges, and what. Test orders are charged by the simulator. */
const payment = ({ before, after }: Checkout) => {
  if (before) return undefined
  const { live_mode, payment_method_token, payment_method_id } = after
  if (!isPaid(after)) return { payment_processor: live_mode ? 'external' : 'simulator' }
  if (live_mode) return refuse.invalid('Live mode needs a gateway, and there is none', 'checkout.live_mode', 'invalid')
  return (payment_method_token === null) === (payment_method_id === null)
    ? refuse.invalid('Send payment_method_token or payment_method_id', 'checkout.payment_method_token', 'invalid')
    : { payment_processor: 'simulator' }
}

/** What is asked of a checkout when it begins. */
export const begins = [price, payment]
