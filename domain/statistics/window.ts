import { momentIn } from '../kernel/values/instant.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { DAY_MS, MINUTE_MS } from './cells.ts'

/** Stretch of time that numbers are asked for, in milliseconds since 1970: `from` included, `to` not. */
export interface Window {
  readonly from: number
  readonly to: number
}

const USUAL_DAYS = 30
const MOST_DAYS = 90

/** A `+` before an offset that was not escaped arrives as a space. */
const UNESCAPED_PLUS = /^(\S+[T ]\d{2}:\d{2}\S*) (\d{2}:?\d{2})$/

const instant = (name: string, sent: string | undefined): number | undefined | Refusal => {
  if (sent === undefined || sent.trim() === '') return undefined
  const at = momentIn(sent.trim().replace(UNESCAPED_PLUS, '$1+$2'))
  return at === undefined ? refuse.malformed(`${name} must be an ISO 8601 date-time`, name, 'type') : Date.parse(at)
}

/** Returns the first whole minute of a number of days before a moment. Sums answer alone for what begins there. */
const daysBefore = (moment: number, days: number): number => Math.ceil((moment - days * DAY_MS) / MINUTE_MS) * MINUTE_MS

/**
 * Returns the window that is used for the one that was asked for: by default the last 30 days. An end in the future becomes `now`, a beginning after
 * the end becomes 30 days before it, and of more than 90 days the last 90 are used. A beginning that was not sent is a whole minute.
 */
export const windowOf = (
  asked: { readonly start?: string | undefined; readonly end?: string | undefined },
  now: number,
): Window | Refusal => {
  const start = instant('timerange_start', asked.start)
  const end = instant('timerange_end', asked.end)
  if (start instanceof Refusal) return start
  if (end instanceof Refusal) return end
  const to = Math.min(end ?? now, now)
  const wanted = start ?? daysBefore(now, USUAL_DAYS)
  const from = wanted > to ? daysBefore(to, USUAL_DAYS) : wanted
  return { from: to - from > MOST_DAYS * DAY_MS ? daysBefore(to, MOST_DAYS) : from, to }
}

/** Returns the window that a query string asks for. */
export const windowAsked = (query: URLSearchParams, now: number): Window | Refusal =>
  windowOf({ start: query.get('timerange_start') ?? undefined, end: query.get('timerange_end') ?? undefined }, now)
