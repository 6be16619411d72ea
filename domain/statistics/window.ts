import { momentIn } from '../kernel/values/instant.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { DAY_MS } from './cells.ts'

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

/**
 * Returns the window that is used for the one that was asked for: by default the last 30 days. An end in the future becomes `now`, a beginning after
 * the end becomes 30 days before it, and of more than 90 days the last 90 are used.
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
  const wanted = start ?? now - USUAL_DAYS * DAY_MS
  const from = wanted > to ? to - USUAL_DAYS * DAY_MS : wanted
  return { from: Math.max(from, to - MOST_DAYS * DAY_MS), to }
}
