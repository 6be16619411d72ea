import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { namesOf } from '../../kernel/model/field.ts'
import { normalizeAmount, scaleOf } from '../../kernel/values/money.ts'
import { type Detail, Refusal, refuse } from '../../kernel/values/refusal.ts'
import { gatewayAccount, hasAtMost, mostDecimals } from '../../payments/public.ts'
import { variant } from '../product/model.ts'
import { price } from './model.ts'

type Price = DecisionContext<typeof price>

const INTERVALS: readonly string[] = ['days', 'weeks', 'months', 'quarters', 'years']
/** Amounts that buyers are charged. */
const CHARGED: ReadonlySet<string> = new Set(['amount', 'trial_amount', 'setup_amount'])
const AMOUNTS = ['amount', 'cost', 'trial_amount', 'setup_amount', 'compare_at_amount'] as const

/** Returns the number of decimals that a gateway of the workspace charges, where the currency has more. */
const chargedDecimals = async (currency: string, workspace_id: number | undefined, { documents }: Reader) => {
  const most = mostDecimals('stripe', currency.toUpperCase())
  if (most === undefined) return undefined
  const where = { workspace_id: workspace_id ?? 0, provider: 'stripe' }
  return (await documents.find(gatewayAccount.name, { where, limit: 1 })).length > 0 ? most : undefined
}

/** Reads the variant of the price and the currency of the workspace. A currency that a client sends is ignored. */
const loadFacts = async ({ before, wanted, workspaceId }: Price, read: Reader) => {
  const place = before?.workspace_id ?? workspaceId
  const where = { products_price_id: before?.id ?? 0 }
  const ofWorkspace = String((await read.documents.get('workspace', place))?.currency ?? 'USD')
  return {
    variant: await read.one(variant, before?.variant_id ?? wanted.variant_id),
    currency: ofWorkspace,
    decimals: await chargedDecimals(before?.currency ?? ofWorkspace, place, read),
    isOrdered: before !== undefined && (await read.documents.find('orders/line_item', { where, limit: 1 })).length > 0,
  }
}
type Facts = Awaited<ReturnType<typeof loadFacts>>

const place = ({ before }: Price, { variant: ownVariant, currency }: Facts) => {
  if (before) return undefined
  return ownVariant ? { product_id: ownVariant.product_id, currency: currency.toLowerCase() } : refuse.notFound()
}

/**
 * Settles the interval: recurring prices need one, one-time prices have none. A blank payment type becomes `one_time`.
 */
const recur = ({ after }: Price) => {
  const payment_type = after.payment_type ?? 'one_time'
  if (payment_type !== 'one_time') return { payment_type, interval_count: after.interval_count ?? 1 }
  const nothing = { interval: null, interval_count: null, duration: null, trial_interval: null, trial_duration: null }
  return { payment_type, ...nothing }
}

/** Clears the interval of a trial without a duration, since it means nothing. */
const settleTrial = ({ after: { trial_duration, trial_interval } }: Price) =>
  trial_interval !== null && (trial_duration ?? 0) === 0 ? { trial_interval: null } : undefined

const detail = (field: string, message: string, code: string): Detail => ({
  field: `products_price.${field}`,
  code,
  message,
})

const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const timeProblems = ({ wanted, after }: Price): readonly Detail[] => {
  const isAbsent = after.payment_type !== 'one_time' && after.interval === null
  const isOdd = (value: string | null | undefined) => typeof value === 'string' && !INTERVALS.includes(value)
  return [
    ...(isAbsent || isOdd(wanted.interval)
      ? [detail('interval', 'Interval is not included in the list', 'inclusion')]
      : []),
    ...(isOdd(wanted.trial_interval)
      ? [detail('trial_interval', 'Trial interval is not included in the list', 'inclusion')]
      : []),
    ...(after.interval_count === 0
      ? [detail('interval_count', 'Interval count must be greater than 0', 'too_small')]
      : []),
    ...(after.payment_type === 'payment_plan' && (after.duration ?? 0) === 0
      ? [detail('duration', 'Duration must be greater than 0', 'too_small')]
      : []),
  ]
}

/** Normalizes amounts to the scale of the currency, and reports all problems of the price at once. */
const check = (asked: Price, { decimals = Number.POSITIVE_INFINITY }: Facts) => {
  const { after } = asked
  const problems: Detail[] = []
  const normal: Record<string, string> = {}
  for (const name of AMOUNTS) {
    const held = after[name] ?? null
    if (held === null) continue
    const value = normalizeAmount(held, after.currency.toUpperCase())
    const scale = scaleOf(after.currency.toUpperCase())
    if (value === undefined)
      problems.push(detail(name, `${labelOf(name)} must be an amount with at most ${scale} decimals`, 'invalid'))
    else if (value.startsWith('-'))
      problems.push(detail(name, `${labelOf(name)} must be greater than or equal to 0`, 'too_small'))
    else if (CHARGED.has(name) && !hasAtMost(value, decimals))
      problems.push(
        detail(
          name,
          `${labelOf(name)} can have at most ${decimals} decimals, which is all that Stripe charges`,
          'invalid',
        ),
      )
    else normal[name] = value
  }
  if ((after.amount ?? null) === null)
    problems.push(
      detail('amount', "Amount can't be blank", 'blank'),
      detail('amount', 'Amount is not a number', 'not_a_number'),
    )
  problems.push(...timeProblems(asked))
  if (problems.length === 0) return normal
  return new Refusal('invalid', problems.map(({ message }) => message).join('; '), problems)
}

/** Attributes of a recurring price that may change while it is on an order. */
const EVER: ReadonlySet<string> = new Set(['visible', 'archived'])

/** Freezes a recurring price that is on an order: subscribers keep paying what they subscribed to. */
const freeze = ({ before, after }: Price, { isOrdered }: Facts) => {
  if (!before || !isOrdered || before.payment_type === 'one_time') return undefined
  const names = namesOf(price.attributes).filter((name) => !EVER.has(name))
  return names.every((name) => before[name] === after[name])
    ? undefined
    : refuse.invalid('Cannot edit a subscription price that is attached to an order.', 'base', 'frozen')
}

/** Rules of a price. */
export const prices = decider(price, {
  rules: rules(price, { loadFacts, save: [place, recur, settleTrial, check, freeze] }),
})
