import { Temporal } from 'temporal-polyfill'

/** How often something is paid. Stored in orders. */
export type Plan = {
  /** From when on its periods are counted, ISO 8601. */
  readonly anchor: string
  /** Zone of the tz database by whose clock days and months are counted. */
  readonly zone: string
  readonly interval: string
  readonly count: number
  /** How many periods are paid; `null`: until it is cancelled. */
  readonly payments: number | null
  /** The period that begins at the anchor; absent: the first. */
  readonly from?: number
}

/** How often a price recurs that says so; a price that leaves it open recurs every month. */
export const rhythmOf = ({
  interval,
  interval_count,
}: {
  readonly interval: string | null
  readonly interval_count: number | null
}): Pick<Plan, 'interval' | 'count'> => ({ interval: interval ?? 'months', count: interval_count || 1 })

/** What a date moves by, for each interval of a price. */
const UNITS: Readonly<
  Record<string, { readonly unit: 'days' | 'weeks' | 'months' | 'years'; readonly times: number }>
> = {
  days: { unit: 'days', times: 1 },
  weeks: { unit: 'weeks', times: 1 },
  months: { unit: 'months', times: 1 },
  quarters: { unit: 'months', times: 3 },
  years: { unit: 'years', times: 1 },
}

/** Behind it no moment can be told. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * So many intervals later, at the same time of day in the zone; on the last day of a month that is too short. A time of day that is left out
 * when clocks go forward is as much later.
 *
 * @returns ISO 8601; `null` when that is too far away to be told
 */
export const later = (from: string, zone: string, interval: string, intervals: number): string | null => {
  const { unit, times } = UNITS[interval] ?? { unit: 'months', times: 1 }
  try {
    const instant = Temporal.Instant.from(from)
      .toZonedDateTimeISO(zone)
      .add({ [unit]: intervals * times })
    return instant.epochMilliseconds > LAST ? null : new Date(instant.epochMilliseconds).toISOString()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * When a period of a plan begins, the first being 0. It is counted from the anchor, so that a short month shortens none behind it: a plan that
 * begins on the 31st renews on the 28th of February and on the 31st of March.
 */
export const beginningOf = ({ anchor, zone, interval, count, from = 0 }: Plan, period: number): string | null =>
  later(anchor, zone, interval, (period - from) * count)
