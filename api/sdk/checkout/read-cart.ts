import { addressRegion, countryCodeOf } from '../../../domain/addresses/public.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { SdkRefusal } from '../refusal.ts'

/** Line of a cart as a page names it; its quantity may be anything. */
export interface LineOnPage {
  readonly variant_id: string
  readonly price_id: string
  readonly quantity: unknown
}

/** Address as a page names it. Empty texts are `null`. */
export interface AddressOnPage {
  readonly name: string | null
  readonly organization: string | null
  readonly street: string | null
  readonly street_two: string | null
  readonly city: string | null
  readonly region: string | null
  readonly postal_code: string | null
  /** Two-letter code. */
  readonly country: string | null
}

/** Problem that a page shows to the buyer. */
export type StateError = {
  readonly code: string
  readonly message: string
  readonly field?: string
  readonly source: 'validation' | 'gateway'
}

/** Cart of a page load, which sends all of it with each call. */
export interface CartOnPage {
  readonly id: string
  readonly lines: readonly LineOnPage[]
  readonly coupon_codes: readonly string[]
  readonly shipping_address: AddressOnPage | null
  readonly billing_address: AddressOnPage | null
  readonly shipping_option_id: string | null
  readonly email: string | null
  /** Problems of its addresses. */
  readonly errors: readonly StateError[]
}

const CART_ID = /^[A-Za-z0-9_-]{8,64}$/
const MOST_LINES = 100
const MOST_CODES = 20
const MOST_TEXT = 255

export const invalid = (message: string, field: string, code: string): StateError => ({
  ...{ code, message, field, source: 'validation' },
})

const bad = (message: string) => new SdkRefusal('bad_request', message)

/** Returns a text that may be missing. Blank ones are `null`. @throws {SdkRefusal} for anything else, and for what is too long or cannot be stored */
export const optionalText = (from: JsonObject, name: string, path = name): string | null => {
  const value = from[name] ?? null
  if (value === null) return null
  if (typeof value !== 'string') throw bad(`${path} must be a text`)
  if (value.length > MOST_TEXT) throw bad(`${path} is too long (maximum is ${MOST_TEXT} characters)`)
  if (value.includes('\u0000') || !value.isWellFormed()) throw bad(`${path} has characters that are no text`)
  return value.trim() === '' ? null : value.trim()
}

const listIn = (from: JsonObject, name: string, most: number): readonly Json[] => {
  const value = from[name] ?? []
  if (!Array.isArray(value)) throw bad(`cart.${name} must be a list`)
  if (value.length > most) throw bad(`cart.${name} has more than ${most} items`)
  return value as readonly Json[]
}

const lineIn = (value: Json): LineOnPage => {
  if (!isJsonObject(value)) throw bad('cart.lines must be objects')
  const [variant_id, price_id] = ['variant_id', 'price_id'].map((name) =>
    optionalText(value, name, `cart.lines.${name}`),
  )
  return { variant_id: variant_id ?? '', price_id: price_id ?? '', quantity: value.quantity }
}

/** Reads an address. What is not known of it is left out, and named. */
export const addressIn = (
  from: JsonObject,
  name: string,
): { readonly address: AddressOnPage | null; readonly errors: readonly StateError[] } => {
  const value = from[name] ?? null
  if (value === null) return { address: null, errors: [] }
  if (!isJsonObject(value)) throw bad(`${name} must be an object`)
  const text = (part: string) => optionalText(value, part, `${name}.${part}`)
  const errors: StateError[] = []
  const named = text('country')
  const country = named === null ? null : countryCodeOf(named)
  if (country === undefined) errors.push(invalid('Country is not known', `${name}.country`, 'inclusion'))
  const sent = text('region')
  const region = sent === null || !country ? sent : addressRegion(country, sent)
  const address = {
    ...{ name: text('name'), organization: text('organization') },
    ...{ street: text('street'), street_two: text('street_two'), city: text('city') },
    ...{ region, postal_code: text('postal_code'), country: country ?? null },
  }
  return { address: Object.values(address).some((part) => part !== null) ? address : null, errors }
}

/** Reads the cart of a call. @throws {SdkRefusal} bad request, for what the SDK never sends */
export const cartIn = (body: JsonObject): CartOnPage => {
  const from = body.cart ?? null
  if (!isJsonObject(from)) throw bad('cart must be an object')
  const id = optionalText(from, 'id', 'cart.id') ?? ''
  if (!CART_ID.test(id)) throw bad('cart.id must be 8 to 64 letters, digits, - or _')
  const codes = listIn(from, 'coupon_codes', MOST_CODES)
  const shipping = addressIn(from, 'shipping_address')
  const billing = addressIn(from, 'billing_address')
  return {
    id,
    lines: listIn(from, 'lines', MOST_LINES).map(lineIn),
    coupon_codes: codes.map(
      (_, index) => optionalText({ code: codes[index] ?? null }, 'code', 'cart.coupon_codes') ?? '',
    ),
    shipping_address: shipping.address,
    billing_address: billing.address,
    shipping_option_id: optionalText(from, 'shipping_option_id', 'cart.shipping_option_id'),
    email: optionalText(from, 'email', 'cart.email'),
    errors: [...shipping.errors, ...billing.errors],
  }
}
