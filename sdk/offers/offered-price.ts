import type { CartLine } from '../checkout/model.ts'

export type OfferedPrice = Omit<CartLine, 'quantity'>

/** The price that an `oto-accept` button names in its `value`: `variantId|priceId`. It is read when it is needed, since pages fill it in late. */
export const offeredBy = (element: Element | undefined): OfferedPrice | undefined => {
  const [variant_id, price_id, ...more] = (element?.getAttribute('value') ?? '').split('|').map((id) => id.trim())
  return variant_id && price_id && more.length === 0 ? { variant_id, price_id } : undefined
}

/** Names the price of a line, without its quantity: an offer is for one. */
export const priceOf = (line: OfferedPrice | undefined): OfferedPrice | undefined =>
  line && { variant_id: line.variant_id, price_id: line.price_id }

export const isPriced = (offered: OfferedPrice, lines: readonly OfferedPrice[]): boolean =>
  lines.some((line) => line.variant_id === offered.variant_id && line.price_id === offered.price_id)
