import type { RecordOf } from '../../kernel/model/model.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import { moneyText } from '../../kernel/values/money-text.ts'
import type { price } from '../../store/public.ts'
import { later, rhythmOf } from '../billing/schedule.ts'
import { hasTrial, recurs } from './recurring.ts'

/** What of a price its terms are made of. */
export type PriceTerms = Pick<
  RecordOf<typeof price>,
  | 'amount'
  | 'currency'
  | 'payment_type'
  | 'interval'
  | 'interval_count'
  | 'duration'
  | 'trial_interval'
  | 'trial_duration'
  | 'trial_amount'
  | 'setup_amount'
>

const singular = (interval: string): string => interval.replace(/s$/, '')

const counted = (count: number, interval: string): string =>
  `${count} ${count === 1 ? singular(interval) : `${singular(interval)}s`}`

const everyOf = (of: PriceTerms): string => {
  const { interval, count } = rhythmOf(of)
  return count === 1 ? `every ${singular(interval)}` : `every ${counted(count, interval)}`
}

const isZero = (amount: string | null): boolean => Number(amount ?? 0) === 0

const paymentsOf = ({ duration }: PriceTerms): number | undefined => duration || undefined

const payments = (count: number, more = ''): string => `${count}${more} ${count === 1 ? 'payment' : 'payments'}`

/** Returns a price as people read it, with all that is charged for it: `$1.00 for 7 days, then $20.00 every 2 months, 3 payments, plus $30.00 once`. */
export const priceText = (of: PriceTerms): string => {
  const money = (amount: string | null) => moneyText(amount ?? '0', of.currency)
  if (!recurs(of)) return money(of.amount)
  const trial = isZero(of.trial_amount) ? 'Free' : money(of.trial_amount)
  const first = hasTrial(of) ? `${trial} for ${counted(of.trial_duration ?? 0, of.trial_interval ?? '')}, then ` : ''
  const count = paymentsOf(of)
  const setup = isZero(of.setup_amount) ? '' : `, plus ${money(of.setup_amount)} once`
  return `${first}${money(of.amount)} ${everyOf(of)}${count ? `, ${payments(count)}` : ''}${setup}`
}

/** Returns the day of a moment, as people read it. */
const dayOf = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(new Date(at))

/**
 * Returns what a line of a cart costs later, and what of its amount is a set-up: `Includes $30.00 once. Then $20.00 every month from March 1, 2027.`
 *
 * @returns `undefined` for a line that is paid once
 */
export const lineTerms = (of: PriceTerms, quantity: number, at: string, zone: string): string | undefined => {
  if (!recurs(of)) return undefined
  const { currency } = of
  const money = (amount: string | null) =>
    moneyText(fromMinor(minorOf(amount ?? '0', currency) * BigInt(quantity), currency), currency)
  const setup = isZero(of.setup_amount) ? '' : `Includes ${money(of.setup_amount)} once. `
  const { interval, count } = rhythmOf(of)
  const isTrial = hasTrial(of)
  const next = isTrial
    ? later(at, zone, of.trial_interval ?? '', of.trial_duration ?? 0)
    : later(at, zone, interval, count)
  const all = paymentsOf(of)
  const left = all === undefined ? undefined : isTrial ? all : all - 1
  if (left === 0) return setup.trim() || undefined
  const ends = left === undefined ? '' : `, ${payments(left, isTrial ? '' : ' more')}`
  return `${setup}Then ${money(of.amount)} ${everyOf(of)}${next === null ? '' : ` from ${dayOf(next, zone)}`}${ends}.`
}
