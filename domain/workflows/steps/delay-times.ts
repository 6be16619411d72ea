import { Temporal } from 'temporal-polyfill'
import { zoneOf } from '../../resources/attributes/time-zone.ts'

export const DELAY_TYPES = ['relative', 'day_of_week', 'day_of_month'] as const
export const INTERVALS = ['minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const
/** Days of the week, in the order in which numbers name them: 0 is Sunday. */
export const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

export type Interval = (typeof INTERVALS)[number]
export type Day = (typeof DAYS)[number]

/** Longest duration by interval: ten years. */
export const LONGEST: Readonly<Record<Interval, number>> = {
  minutes: 5_256_000,
  hours: 87_600,
  days: 3650,
  weeks: 520,
  months: 120,
  years: 10,
}

/** Settings of a `delay_step` that is set up. Times of day are `HH:MM`. */
export interface Delay {
  readonly delay_type: (typeof DELAY_TYPES)[number]
  readonly duration: number | null
  readonly interval: Interval
  readonly day_of_week: Day | null
  readonly date_of_month: number | null
  readonly use_execution_window: boolean
  /** Begin of the execution window; for the two types with a day, the time of that day. `null`: midnight. */
  readonly start_time: string | null
  /** End of the execution window, which it does not include. */
  readonly end_time: string | null
  readonly execution_window_days: readonly Day[]
}

const dayOf = (date: Temporal.PlainDate): Day => DAYS[date.dayOfWeek % 7] ?? 'sunday'

/** Returns a time of a day in a zone. A time that a clock change skips moves forward by the skipped time; of two, it is the first. */
const timeOf = (date: Temporal.PlainDate, time: string | null, zone: string): Temporal.ZonedDateTime =>
  time === null ? date.toZonedDateTime(zone) : date.toZonedDateTime({ timeZone: zone, plainTime: time })

const isBefore = (a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime): boolean =>
  a.epochMilliseconds < b.epochMilliseconds

/** Returns the first of these days whose time is not past. */
const firstNotPast = (
  now: Temporal.ZonedDateTime,
  time: string | null,
  dates: Iterable<Temporal.PlainDate>,
): Temporal.ZonedDateTime => {
  for (const date of dates) {
    const moment = timeOf(date, time, now.timeZoneId)
    if (!isBefore(moment, now)) return moment
  }
  return now
}

function* daysOfWeek(from: Temporal.PlainDate, day: Day): Generator<Temporal.PlainDate> {
  const ahead = (DAYS.indexOf(day) - DAYS.indexOf(dayOf(from)) + 7) % 7
  for (const weeks of [0, 1]) yield from.add({ days: ahead, weeks })
}

function* daysOfMonth(from: Temporal.PlainDate, day: number): Generator<Temporal.PlainDate> {
  for (const months of [0, 1]) {
    const month = from.with({ day: 1 }).add({ months })
    yield month.with({ day: Math.min(day, month.daysInMonth) })
  }
}

/** Returns the end of the delay itself, before any window. */
const delayed = (
  { delay_type, duration, interval, day_of_week, date_of_month, start_time }: Delay,
  now: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime => {
  const today = now.toPlainDate()
  if (delay_type === 'day_of_week') return firstNotPast(now, start_time, daysOfWeek(today, day_of_week ?? dayOf(today)))
  if (delay_type === 'day_of_month')
    return firstNotPast(now, start_time, daysOfMonth(today, date_of_month ?? today.day))
  return now.add({ [interval]: duration ?? 0 })
}

/** Days from the one before a moment on, among which the next window begins: a window over midnight has begun the day before. */
const SEARCHED = 15

/** Returns a moment if it is in an execution window, or else the beginning of the next window. A window over midnight belongs to the day on which it begins. */
const inWindow = (
  { use_execution_window, start_time, end_time, execution_window_days }: Delay,
  moment: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime => {
  if (!use_execution_window) return moment
  const zone = moment.timeZoneId
  const [start, end] = [start_time ?? '00:00', end_time ?? '00:00']
  const yesterday = moment.toPlainDate().subtract({ days: 1 })
  for (let days = 0; days < SEARCHED; days++) {
    const date = yesterday.add({ days })
    if (!execution_window_days.includes(dayOf(date))) continue
    const begins = timeOf(date, start_time, zone)
    const ends = timeOf(end > start ? date : date.add({ days: 1 }), end_time, zone)
    if (isBefore(begins, ends) && isBefore(moment, ends)) return isBefore(moment, begins) ? begins : moment
  }
  return moment
}

const zoned = (at: string, zone: string): Temporal.ZonedDateTime => Temporal.Instant.from(at).toZonedDateTimeISO(zone)

const toText = (moment: Temporal.ZonedDateTime): string => new Date(moment.epochMilliseconds).toISOString()

/**
 * Returns when a delay ends: first the delay, then its execution window. Days and longer intervals keep the time of day; a month that is too short
 * gives its last day.
 *
 * @param now time at which the step is reached; ISO 8601
 * @param zone zone of the tz database
 */
export const dueAt = (delay: Delay, now: string, zone: string): string =>
  toText(inWindow(delay, delayed(delay, zoned(now, zone))))

/** Returns when a step may go on that is reached late: at once in its execution window, or else when the next one begins. */
export const admittedAt = (delay: Delay, now: string, zone: string): string => toText(inWindow(delay, zoned(now, zone)))

/** Returns the zone of the tz database in which a delay counts: its own, that of the contact, or else that of the workspace. */
export const zoneOfDelay = (
  { time_zone, use_contact_time_zone }: { readonly time_zone: string | null; readonly use_contact_time_zone: boolean },
  contactZone: string | null,
  workspaceZone: string | null,
): string => zoneOf((use_contact_time_zone ? contactZone : time_zone) || workspaceZone)
