import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { humanize } from '../../kernel/model/parse.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { type Detail, Refusal, refuse } from '../../kernel/values/refusal.ts'
import { discount, stateAt } from './model.ts'
import { redemption } from './redemption.ts'
import { lockedChanges, normalizePercent, SCOPE_LISTS } from './terms.ts'

const { event } = discount
type Discount = DecisionContext<typeof discount, { readonly expired: boolean }>
type DiscountOf = ActContext<typeof discount>

/**
 * Reads the workspace's currency for a new discount, and otherwise whether an order has the discount. The redemptions
 * are read too, since `applied` may not yet show what a checkout has just reserved.
 */
const loadFacts = async ({ act, before, workspaceId }: Discount, read: Reader) => {
  if (!before) return { currency: String((await read.documents.get('workspace', workspaceId))?.currency ?? 'USD') }
  const where = { discount_id: before.id }
  const applied = act === 'apply' || before.applied || (await read.find(redemption, { where, limit: 1 })).length > 0
  return { currency: before.currency, applied }
}
type Facts = { readonly currency: string; readonly applied?: boolean }

/** Locks the terms that buyers were promised. Runs first, so that its refusal wins. */
const lock = ({ before, after, wanted, at }: Discount, { applied = false }: Facts) => {
  if (!before || !applied) return undefined
  const details = lockedChanges(before, after).map(
    (name): Detail => ({
      field: name,
      code: 'applied',
      message: `${humanize(name)} cannot be changed because it has already been applied`,
    }),
  )
  if (details.length > 0) return new Refusal('invalid', details.map(({ message }) => message).join('; '), details)
  const isRevived = wanted.expired === false && stateAt(before, at) === 'expired'
  const isEndless = before.apply_until !== null && after.apply_until === null
  return isRevived || isEndless
    ? refuse.invalid('Apply until cannot be removed after it has been redeemed', 'apply_until', 'applied')
    : undefined
}

/** Refuses every change of an expired discount, even one without effect. */
const freeze = ({ before, at }: Discount) =>
  before && stateAt(before, at) === 'expired'
    ? refuse.invalid('Discount cannot be changed because it has expired', 'base', 'expired')
    : undefined

const begin = ({ before, after, at }: Discount, { currency }: Facts) => ({
  currency: (after.currency ?? currency).toLowerCase(),
  ...(!before && { apply_from: after.apply_from ?? at }),
})

const spell = ({ after: { code, discount_type } }: Discount) =>
  discount_type === 'code' && code === ''
    ? refuse.invalid("Coupon Code can't be blank", 'code', 'blank')
    : { code: code.toUpperCase() }

const percentOf = (value: string | null) => {
  const percent = value === null ? undefined : normalizePercent(value)
  if (value === null || value.startsWith('-') || Number(percent) === 0)
    return refuse.invalid('Percent must be greater than 0', 'percent', 'too_small')
  if (percent === undefined) return refuse.invalid('Percent must have at most 2 decimals', 'percent', 'invalid')
  return Number(percent) > 100
    ? refuse.invalid('Percent must be less than or equal to 100', 'percent', 'too_large')
    : percent
}

const amountOf = (value: string | null, currency: string) => {
  const code = currency.toUpperCase()
  const amount = value === null ? '0' : normalizeAmount(value, code)
  if (amount === undefined)
    return refuse.invalid(`Amount must be an amount with at most ${scaleOf(code)} decimals`, 'amount', 'invalid')
  return amount.startsWith('-') || Number(amount) === 0
    ? refuse.invalid('Amount must be greater than 0', 'amount', 'too_small')
    : amount
}

/**
 * Requires a percent or an amount, as the method needs it. `bogo` and `shipping` take either, and are entirely free
 * without.
 */
const price = ({ after }: Discount) => {
  const { discount_method, currency } = after
  const isFree = discount_method === 'bogo' || discount_method === 'shipping'
  const hasPercent = isFree ? after.percent !== null : discount_method === 'percentage'
  const hasAmount = isFree ? after.amount !== null : discount_method === 'fixed'
  if (hasPercent && hasAmount) return refuse.invalid('Amount cannot be set beside percent', 'amount', 'invalid')
  const percent = hasPercent ? percentOf(after.percent) : null
  if (percent instanceof Refusal) return percent
  const amount = hasAmount ? amountOf(after.amount, currency) : null
  return amount instanceof Refusal ? amount : { percent, amount }
}

/** Clears the lists outside the scope, and removes repeated ids from the others. */
const narrow = ({ after }: Discount) => {
  const own = SCOPE_LISTS[after.applies_to]
  const ids = (name: typeof own & string) => (name === own ? [...new Set(after[name])] : [])
  return {
    product_ids: ids('product_ids'),
    variant_ids: ids('variant_ids'),
    products_collection_ids: ids('products_collection_ids'),
  }
}

const demand = ({ after: { require_minimum_spend, require_minimum_spend_amount: least } }: Discount) =>
  require_minimum_spend && (least ?? 0) === 0
    ? refuse.invalid('Require minimum spend amount must be greater than 0', 'require_minimum_spend_amount', 'too_small')
    : undefined

/** Requires a planned period to lie ahead. Only a new discount may have begun already. */
const plan = ({ before, after, at }: Discount) => {
  const { apply_from, apply_until } = after
  if (before && apply_from !== before.apply_from && apply_from < at)
    return refuse.invalid(
      'Apply from scheduled date cannot be changed since the date is in the past',
      'apply_from',
      'too_small',
    )
  if (apply_until === null || (before?.apply_until === apply_until && before.apply_from === apply_from))
    return undefined
  if (apply_until <= apply_from)
    return refuse.invalid(
      'Apply until scheduled end date must be after the scheduled start date',
      'apply_until',
      'too_small',
    )
  return apply_until <= at
    ? refuse.invalid('Apply until scheduled end date must be in the future', 'apply_until', 'too_small')
    : undefined
}

/** Gives `expired: true` precedence over a period that is sent with it. */
const expire = ({ before, wanted }: Discount) =>
  before && wanted.expired === true ? { apply_from: before.apply_from, apply_until: before.apply_until } : undefined

const end = ({ before, wanted }: Discount) =>
  before && wanted.expired === true ? [event.DiscountExpired()] : undefined

const preventRemoval = (_: DiscountOf, { applied = false }: Facts) =>
  applied
    ? refuse.invalid(
        'Cannot delete a discount that has been applied to an order. Expire it instead with `expired: true`.',
        'base',
        'applied',
      )
    : undefined

/** Records the first use only, so that a popular code is no stream that every checkout writes to. */
const apply = ({ before }: DiscountOf) => (before.applied ? [] : [event.DiscountApplied()])

/** Rules of a discount (spec 2.3, 3). */
export const discounts = decider(discount, {
  rules: rules(discount, {
    loadFacts,
    save: [lock, freeze, begin, spell, price, narrow, demand, expire, plan, end],
    preventRemoval,
    acts: { apply },
  }),
})
