import { stock } from '../../inventory/stock/model.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import type { ClaimRequest } from '../../kernel/model/claim.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { minorOf, toMinor } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { gatewayAccount, hasAtMost, leastSum, mostDecimals } from '../../payments/public.ts'
import { zoneOf } from '../../resources/attributes/time-zone.ts'
import { understandRegions } from '../addresses.ts'
import { order } from '../order/model.ts'
import { type Checkout, priced } from './cart.ts'
import { hasFreedCart } from './left-open.ts'
import { checkout } from './model.ts'
import { startOf } from './recurring.ts'

/** Code of the refusal of a total that the buyer did not see. */
export const TOTALS_CHANGED = 'totals_changed'

/** Quantity to reserve of each variant with counted stock. */
const stocksFor = async (
  lines: readonly { readonly variant_id: number; readonly quantity: number }[],
  read: Reader,
) => {
  const wanted = new Map<number, number>()
  for (const { variant_id, quantity } of lines) wanted.set(variant_id, (wanted.get(variant_id) ?? 0) + quantity)
  const found = await read.find(stock, { where: { variant_id: { $in: [...wanted.keys()] } } })
  return found.map(({ id, variant_id }) => ({ stock_id: id, quantity: wanted.get(variant_id) ?? 0 }))
}

/**
 * Tells whether the saved payment method that was sent, if any, was saved for this contact over this account. The
 * simulator saves none, and takes any.
 */
const isMethodOf = async (
  { after, workspaceId: workspace_id }: Checkout,
  account: RecordOf<typeof gatewayAccount> | undefined,
  read: Reader,
): Promise<boolean> => {
  const { contact_id, payment_method_id } = after
  if (payment_method_id === null || !account || account.provider === 'simulator') return true
  const [placed, begun] = await Promise.all([
    read.find(order, { where: { workspace_id, contact_id } }),
    read.find(checkout, { where: { contact_id } }),
  ])
  const methods = [...placed.map((one) => ({ ...one, payment_method_id: one.billing_payment_method_id })), ...begun]
  return methods.some((one) => one.payment_method_id === payment_method_id && one.gateway_account_id === account.id)
}

/** Prices the cart, and reads the zone and the account. */
export const loadFacts = async (asked: Checkout, read: Reader) => {
  const { before, workspaceId } = asked
  if (before) return undefined
  const workspace = await read.documents.get('workspace', workspaceId)
  const currency = String(workspace?.currency ?? 'USD')
  const cart = await priced(asked, currency, read)
  if (cart instanceof Refusal) return cart
  const zone = zoneOf(typeof workspace?.time_zone === 'string' ? workspace.time_zone : null)
  const account = await read.one(gatewayAccount, asked.after.gateway_account_id)
  return {
    ...cart,
    currency,
    zone,
    account,
    isOwnMethod: await isMethodOf(asked, account, read),
    stocks: await stocksFor(cart.lines, read),
  }
}
type Facts = Awaited<ReturnType<typeof loadFacts>>

const settle = ({ before, at, ids }: Checkout, facts: Facts) => {
  if (before || !facts || facts instanceof Refusal) return facts as Refusal | undefined
  const { prices, zone, account: _, isOwnMethod: __, ...cart } = facts
  const beginning = startOf(prices, at, zone, 'checkout.line_items_attributes')
  return beginning instanceof Refusal ? beginning : { ...cart, ...beginning, ordering_id: idAt(ids, 0) }
}

/** Whether there is anything to pay, now or later. */
const isPaid = ({ total_amount, currency, plan }: Checkout['after']): boolean =>
  plan !== null || toMinor(total_amount ?? '0', currency ?? '') !== 0n

const mismatch = (isLive: boolean) =>
  refuse.invalid(
    `Live mode must be that of the gateway account, which is for ${isLive ? 'live' : 'test'} orders`,
    'checkout.live_mode',
    'mismatch',
  )

/**
 * Checks account and payment method. Without an account the simulator charges test orders, and live orders are refused.
 */
const payment = ({ before, after }: Checkout, facts: Facts) => {
  if (before || !facts || facts instanceof Refusal) return undefined
  const { account } = facts
  const { live_mode, payment_method_token, payment_method_id } = after
  if (account && account.live_mode !== live_mode) return mismatch(account.live_mode)
  const payment_processor = account?.provider ?? (live_mode ? 'external' : 'simulator')
  if (!isPaid(after)) return { payment_processor }
  if (live_mode && !account)
    return refuse.invalid('Live mode needs a gateway_account_id', 'checkout.live_mode', 'invalid')
  if (!facts.isOwnMethod)
    return refuse.invalid('Payment method is not one of the contact', 'checkout.payment_method_id', 'inclusion')
  return (payment_method_token === null) === (payment_method_id === null)
    ? refuse.invalid('Send payment_method_token or payment_method_id', 'checkout.payment_method_token', 'invalid')
    : { payment_processor }
}

/** Refuses another total than the buyer saw. */
const asShown = ({ before, wanted: { shown_total: shown }, after }: Checkout) =>
  before || shown === undefined || shown === after.total_amount
    ? undefined
    : refuse.invalid('The total is no longer the one that was shown', 'checkout.total_amount', TOTALS_CHANGED)

/** Refuses a total that the gateway would not charge. */
const enough = ({ before, after: { total_amount, currency, payment_processor } }: Checkout) => {
  if (before || total_amount === null || currency === null) return undefined
  const least = leastSum(payment_processor, currency)
  const total = minorOf(total_amount, currency)
  return least === undefined || total === 0n || total >= minorOf(least, currency)
    ? undefined
    : refuse.invalid(`The total must be at least ${least} ${currency}`, 'checkout.total_amount', 'too_small')
}

/** Refuses a total that is finer than the gateway charges, before anything is asked of it. */
const chargeable = ({ before, after: { total_amount, currency, payment_processor } }: Checkout) => {
  if (before || total_amount === null || currency === null) return undefined
  const most = mostDecimals(payment_processor, currency)
  return most === undefined || hasAtMost(total_amount, most)
    ? undefined
    : refuse.invalid(
        `The total can have at most ${most} decimals in ${currency}, which is all that the gateway charges`,
        'checkout.total_amount',
        'invalid',
      )
}

/** Rules for the start of a checkout. */
export const checkoutRules = [understandRegions, settle, payment, enough, chargeable, asShown]

/** Scope of the claim of a checkout on its cart, until it has surely failed. */
export const CART = 'orders/checkout.cart'

/** Scope of the claim of a checkout on being the one that follows a visitor's last one of the same lines. */
export const PURCHASE = 'orders/checkout.purchase'

/**
 * Claims of a checkout for a cart of a page. A cart has one checkout that has not failed, so that a new attempt begins only when the former one surely
 * has. An attempt is made once, whenever its request arrives again. A visitor has one checkout that follows their last one of the same lines.
 */
export const cartClaims = (record: RecordOf<typeof checkout>): readonly ClaimRequest[] => {
  const { cart, attempt, purchase } = record
  if (cart === null) return []
  const made = {
    scope: 'orders/checkout.attempt',
    value: `${cart}/${attempt}`,
    field: 'attempt',
    says: 'It was made before',
  }
  const held = { scope: CART, value: cart, field: 'cart', says: 'The cart is being paid, or is paid' }
  const following = { scope: PURCHASE, value: purchase ?? '', field: 'purchase', says: 'The same is being bought' }
  return hasFreedCart(record) ? [made] : [made, held, ...(purchase ? [following] : [])]
}
