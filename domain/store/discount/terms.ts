import type { RecordOf } from '../../kernel/model/model.ts'
import { normalizeAmount } from '../../kernel/values/money.ts'
import type { discount } from './model.ts'

type Name = keyof typeof discount.attributes & string
type Values = Partial<Omit<RecordOf<typeof discount>, 'id'>>

/** Returns a percentage with one or two decimals, such as `20.0` for `20`; `undefined` when it is none. */
export const normalizePercent = (value: string): string | undefined => {
  const match = /^\+?(?=\d)0*([1-9]\d{0,14})?(?:\.(\d+))?$/.exec(value)
  if (!match) return undefined
  const whole = match[1] ?? '0'
  const decimals = (match[2] ?? '').replace(/(?<!0)0+$/, '')
  return decimals.length > 2 ? undefined : `${whole}.${decimals.padEnd(1, '0')}`
}

/** Terms that buyers were promised once a checkout used the discount. The order is that of the refusals. */
const LOCKED: readonly Name[] = [
  'amount',
  'percent',
  'discount_method',
  'applies_to',
  'apply_from',
  'product_ids',
  'variant_ids',
  'products_collection_ids',
  'limit_1_per_customer',
  'discounts_per_redemption',
  'currency',
]

const canonical = (name: Name, values: Values, currency: string): unknown => {
  const value = values[name] ?? null
  if (value === null) return null
  if (name === 'percent') return normalizePercent(String(value)) ?? value
  if (name === 'amount') return normalizeAmount(String(value), currency.toUpperCase()) ?? value
  return name === 'currency' ? String(value).toLowerCase() : JSON.stringify(value)
}

/** Locked attributes that a change would alter. */
export const lockedChanges = (before: RecordOf<typeof discount>, after: Values): readonly Name[] =>
  LOCKED.filter((name) => canonical(name, before, before.currency) !== canonical(name, after, before.currency))

/** List that each scope uses. */
export const SCOPE_LISTS = {
  all_products: undefined,
  specific_products: 'product_ids',
  specific_variants: 'variant_ids',
  specific_collections: 'products_collection_ids',
} as const
