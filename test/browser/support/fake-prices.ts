/** Prices of the stand-in of the shop: two products, two codes, and what it costs to ship to two countries. */

export interface Line {
  readonly variant_id: string
  readonly price_id: string
  readonly quantity: number
}

export interface Address {
  readonly country?: string
  readonly region?: string
  readonly postal_code?: string
}

export interface Product {
  readonly name: string
  readonly amount: number
  readonly physical: boolean
}

const RATES: Readonly<Record<string, readonly (readonly [id: string, amount: number])[]>> = {
  DE: [
    ['standard', 500],
    ['express', 900],
  ],
  US: [['overseas', 2000]],
}

const errorOf = (code: string, message: string, field?: string) => ({ code, message, field, source: 'validation' })

interface Order {
  readonly lines: readonly Line[]
  readonly codes: readonly string[]
  readonly address: Address | null
  readonly optionId: string | null
}

const itemsOf = (products: ReadonlyMap<string, Product>, lines: readonly Line[]) =>
  lines.flatMap(({ variant_id, price_id, quantity }) => {
    const product = products.get(`${variant_id}|${price_id}`)
    if (!product) return []
    const { name, amount } = product
    return [{ variant_id, price_id, quantity, name, unit_amount: amount, line_amount: amount * quantity }]
  })

/** The state of spec 2.9 for an order, with its version. */
export const stateOf = (products: ReadonlyMap<string, Product>, { lines, codes, address, optionId }: Order) => {
  const items = itemsOf(products, lines)
  const address_required = lines.some((line) => products.get(`${line.variant_id}|${line.price_id}`)?.physical)
  const rates = address_required ? (RATES[address?.country ?? ''] ?? []) : []
  const chosen = rates.find(([id]) => id === optionId) ?? rates[0]
  const subtotal = items.reduce((sum, { line_amount }) => sum + line_amount, 0)
  const percent = codes.includes('FREE') ? 100 : codes.includes('TEN') ? 10 : 0
  const shipping = codes.includes('FREE') ? 0 : (chosen?.[1] ?? 0)
  const discount = Math.round((subtotal * percent) / 100)
  const total = subtotal - discount + shipping
  const errors = [
    ...(lines.length === 0 ? [errorOf('no_products', 'The cart is empty')] : []),
    ...(items.length < lines.length
      ? [errorOf('not_sold', 'The price is not one that this page sells', 'line_items')]
      : []),
    ...(codes.includes('WRONG') ? [errorOf('discount', 'There is no such code', 'coupon_codes')] : []),
  ]
  return {
    state: {
      line_items: items,
      totals: { subtotal, discount, tax: 0, shipping, total, currency: items.length > 0 ? 'USD' : null },
      shipping: {
        address_required,
        options: rates.map(([id, amount]) => ({ id, name: id, amount })),
        selected_option_id: chosen?.[0] ?? null,
      },
      errors,
    },
    version: JSON.stringify([items, total, chosen?.[0]]),
    payment_required: total > 0,
  }
}
