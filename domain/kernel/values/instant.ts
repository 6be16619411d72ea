import { Temporal } from 'temporal-polyfill'

/** An ISO 8601 date, or a date-time with or without an offset. Seconds may have a fraction. */
const ISO =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d{1,9}))?)?(?:Z|(?<sign>[+-])(?<offsetHour>\d{2}):?(?<offsetMinute>\d{2}))?)?$/

/** Largest offset from UTC in minutes, either way. No zone has ever had a larger one. */
const MOST_OFFSET = 18 * 60
const MINUTE = 60_000

/** Whether a text is written as an ISO 8601 date or date-time. The calendar or the clock may still not have it. */
export const isWrittenAsInstant = (text: string): boolean => ISO.test(text)

const isInCalendar = (day: string): boolean => {
  const parsed = new Date(`${day}T00:00:00.000Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day)
}

/** Returns a time as ISO 8601; `undefined` outside the years that have four digits, where texts do not sort by time. */
const toText = (time: number): string | undefined => {
  const moment = new Date(time)
  const text = Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
  return /^\d{4}-/.test(text) ? text : undefined
}

/** Returns a text that is a date alone (`YYYY-MM-DD`), if the calendar has that day. */
export const dayIn = (text: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && isInCalendar(text) ? text : undefined

/**
 * Returns the instant of an ISO 8601 date-time in UTC with milliseconds. Without an offset it is in UTC. `undefined` for a date alone and for what
 * calendar or clock do not have: 30 February, 24:00, leap seconds, offsets beyond 18 hours.
 */
export const instantIn = (text: string): string | undefined => {
  const { day, hour, minute, second = '00', fraction = '', ...offset } = ISO.exec(text)?.groups ?? {}
  if (day === undefined || hour === undefined || minute === undefined || !isInCalendar(day)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const { sign, offsetHour = '00', offsetMinute = '00' } = offset
  const ahead = Number(offsetHour) * 60 + Number(offsetMinute)
  if (Number(offsetMinute) > 59 || ahead > MOST_OFFSET) return undefined
  const local = Date.parse(`${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  return toText(local - (sign === '-' ? -ahead : ahead) * MINUTE)
}

const beginningOf = (day: Temporal.PlainDate, zone: string): number => day.toZonedDateTime(zone).epochMilliseconds

/** Returns the first moment of a day in a zone of the tz database, ISO 8601; `undefined` outside the years that have four digits. */
export const dayBegins = (day: string, zone: string): string | undefined =>
  toText(beginningOf(Temporal.PlainDate.from(day), zone))

/** Returns the last millisecond of a day in a zone of the tz database, ISO 8601; `undefined` outside the years that have four digits. */
export const dayEnds = (day: string, zone: string): string | undefined =>
  toText(beginningOf(Temporal.PlainDate.from(day).add({ days: 1 }), zone) - 1)

/** Returns the instant of an ISO 8601 date-time, or of the beginning of a date in UTC; `undefined` for anything else. */
export const momentIn = (text: string): string | undefined => {
  const day = dayIn(text)
  return day === undefined ? instantIn(text) : dayBegins(day, 'UTC')
}

/**
 * Returns the instant of a time of day in a zone of the tz database, ISO 8601. A time that a clock change leaves out moves forward by the time that is
 * left out; of two, it is the first. `undefined` for a day or time that calendar or clock do not have.
 */
export const wallTimeIn = (day: string, time: string, zone: string): string | undefined => {
  if (dayIn(day) === undefined || instantIn(`${day}T${time}Z`) === undefined) return undefined
  return toText(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds)
}

/** Returns the day of an instant in a zone of the tz database, `YYYY-MM-DD`. */
export const dayAt = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()

/** Returns the first time of day in a zone of the tz database that is behind an instant, ISO 8601; `undefined` outside the years that have four digits. */
export const nextWallTime = (instant: string, time: string, zone: string): string | undefined => {
  const today = dayAt(instant, zone)
  const at = wallTimeIn(today, time, zone)
  if (at === undefined || at > instant) return at
  return wallTimeIn(Temporal.PlainDate.from(today).add({ days: 1 }).toString(), time, zone)
}
