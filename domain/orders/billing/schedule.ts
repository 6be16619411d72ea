import { Temporal } from 'temporal-polyfill'

/** Payment schedule of a subscription. Stored in orders. */
export type Plan = {
  /** Time from which its periods are counted, ISO 8601. */
  readonly anchor: string
  /** Zone of the tz database in which days and months are counted. */
  readonly zone: string
  readonly interval: string
  readonly count: number
  /** Number of periods to pay; `null`: until it is cancelled. */
  readonly payments: number | null
  /** Index of the period that begins at the anchor; absent: 0. */
  readonly from?: number
  /** Months from the anchor to the period `from`; absent: 0. It keeps the day of the month when the rhythm changes. */
  readonly lead?: number
}

/** Interval and count of a recurring price; monthly where the price leaves it open. */
export const rhythmOf = ({
  interval,
  interval_count,
}: {
  readonly interval: string | null
  readonly interval_count: number | null
}): Pick<Plan, 'interval' | 'count'> => ({ interval: interval ?? 'months', count: interval_count || 1 })

/** Calendar unit and factor for each interval of a price. */
const UNITS: Readonly<
  Record<string, { readonly unit: 'days' | 'weeks' | 'months' | 'years'; readonly times: number }>
> = {
  days: { unit: 'days', times: 1 },
  weeks: { unit: 'weeks', times: 1 },
  months: { unit: 'months', times: 1 },
  quarters: { unit: 'months', times: 3 },
  years: { unit: 'years', times: 1 },
}

/** Last moment that can be stored. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Adds calendar units to a moment, at the same time of day in the zone. A month that is too short gives its last day. A
 * time of day that a clock change skips moves forward by the skipped time.
 *
 * @returns ISO 8601; `null` after the year 9999
 */
const shift = (from: string, zone: string, duration: Temporal.DurationLike): string | null => {
  try {
    const instant = Temporal.Instant.from(from).toZonedDateTimeISO(zone).add(duration)
    return instant.epochMilliseconds > LAST ? null : new Date(instant.epochMilliseconds).toISOString()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const unitOf = (interval: string) => UNITS[interval] ?? { unit: 'months' as const, times: 1 }

/** Months of an interval; `undefined` for days and weeks. */
const monthsOf = (interval: string): number | undefined => {
  const { unit, times } = unitOf(interval)
  if (unit === 'years') return 12 * times
  return unit === 'months' ? times : undefined
}

/** Adds intervals of a price to a moment. @returns ISO 8601; `null` after the year 9999 */
export const later = (from: string, zone: string, interval: string, intervals: number): string | null => {
  const { unit, times } = unitOf(interval)
  return shift(from, zone, { [unit]: intervals * times })
}

/**
 * Start of a period of a plan; the first is 0. Counts from the anchor, so a short month does not move later periods: a
 * plan that begins on the 31st renews on 28 February and on 31 March.
 */
export const periodStart = (
  { anchor, zone, interval, count, from = 0, lead = 0 }: Plan,
  period: number,
): string | null => {
  const intervals = (period - from) * count
  const months = monthsOf(interval)
  return months === undefined
    ? later(anchor, zone, interval, intervals)
    : shift(anchor, zone, { months: lead + intervals * months })
}

/** Returns a plan without the lead, for a plan that gets another anchor. */
export const withoutLead = ({ lead: _, ...plan }: Plan): Plan => plan

/**
 * Returns a plan that continues with another rhythm from a period on. While both count in months, the anchor stays, so
 * that the day of the month does.
 *
 * @param start start of that period
 */
export const withRhythm = (
  plan: Plan,
  rhythm: Pick<Plan, 'interval' | 'count'>,
  period: number,
  start: string,
): Plan => {
  const before = monthsOf(plan.interval)
  if (before === undefined || monthsOf(rhythm.interval) === undefined)
    return { ...withoutLead(plan), ...rhythm, anchor: start, from: period }
  const { from = 0, lead = 0, count } = plan
  return { ...plan, ...rhythm, from: period, lead: lead + (period - from) * count * before }
}
