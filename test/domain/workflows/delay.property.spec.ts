import { Temporal } from '@js-temporal/polyfill'
import { expect } from 'chai'
import fc from 'fast-check'
import { DAYS, type Delay, dueAt, INTERVALS } from '../../../domain/workflows/steps/delay-times.ts'
import { seedOfRun } from '../../support/random.ts'

/** Zones that change their clocks, by an hour or half an hour, at midnight, in either half of the year, and some that never do. */
const ZONES = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'Europe/Athens', 'Africa/Cairo', 'Africa/Casablanca'],
  ...['America/New_York', 'America/Los_Angeles', 'America/St_Johns', 'America/Santiago', 'America/Havana'],
  ...['America/Asuncion', 'Asia/Beirut', 'Asia/Kathmandu', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Australia/Sydney'],
  ...['Pacific/Auckland', 'Pacific/Chatham', 'UTC'],
]

/** Number of a day of the week as ISO counts it, from Monday. */
const isoDay = (day: string): number => DAYS.indexOf(day as Delay['execution_window_days'][number]) || 7

/** Earliest of the moments that are not before another. */
const earliest = (moments: readonly Temporal.ZonedDateTime[], from: Temporal.ZonedDateTime) =>
  moments.filter((one) => Temporal.ZonedDateTime.compare(one, from) >= 0).sort(Temporal.ZonedDateTime.compare)[0]!

const at = (date: Temporal.PlainDate, time: string, timeZone: string) =>
  date.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(timeZone, { disambiguation: 'compatible' })

/** The same from the calendar: lists every day of two years that could be meant, and takes the first. */
const delayed = (delay: Delay, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime => {
  const { delay_type, duration, interval, day_of_week, date_of_month, start_time } = delay
  if (delay_type === 'relative') {
    const exact = interval === 'minutes' || interval === 'hours'
    if (exact)
      return now
        .toInstant()
        .add({ [interval]: duration ?? 0 })
        .toZonedDateTimeISO(now.timeZoneId)
    const local = now.toPlainDateTime().add({ [interval]: duration ?? 0 }, { overflow: 'constrain' })
    return (duration ?? 0) === 0 ? now : local.toZonedDateTime(now.timeZoneId, { disambiguation: 'compatible' })
  }
  const days = Array.from({ length: 70 }, (_, days) => now.toPlainDate().add({ days }))
  const meant = days.filter((date) =>
    delay_type === 'day_of_week'
      ? date.dayOfWeek === isoDay(day_of_week ?? '')
      : date.day === Math.min(date_of_month ?? 0, date.daysInMonth),
  )
  return earliest(
    meant.map((date) =>
      start_time === null ? date.toZonedDateTime(now.timeZoneId) : at(date, start_time, now.timeZoneId),
    ),
    now,
  )
}

/** All windows around a moment, and the first moment in one of them from then on. */
const oracle = (delay: Delay, instant: string, zone: string): string => {
  const base = delayed(delay, Temporal.Instant.from(instant).toZonedDateTimeISO(zone))
  const { use_execution_window, start_time, end_time, execution_window_days } = delay
  const text = (one: Temporal.ZonedDateTime) => new Date(one.epochMilliseconds).toISOString()
  if (!use_execution_window || start_time === null || end_time === null) return text(base)
  const isOvernight = Temporal.PlainTime.compare(end_time, start_time) < 0
  const windows = Array.from({ length: 20 }, (_, index) => base.toPlainDate().add({ days: index - 3 }))
    .filter((date) => execution_window_days.some((day) => isoDay(day) === date.dayOfWeek))
    .map((date) => [at(date, start_time, zone), at(date.add({ days: isOvernight ? 1 : 0 }), end_time, zone)] as const)
    .filter(([begins, ends]) => Temporal.ZonedDateTime.compare(begins, ends) < 0)
  const inside = windows.some(
    ([begins, ends]) =>
      Temporal.ZonedDateTime.compare(begins, base) <= 0 && Temporal.ZonedDateTime.compare(base, ends) < 0,
  )
  return text(
    inside
      ? base
      : earliest(
          windows.map(([begins]) => begins),
          base,
        ),
  )
}

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

const delays: fc.Arbitrary<Delay> = fc
  .record({
    delay_type: fc.constantFrom('relative' as const, 'day_of_week' as const, 'day_of_month' as const),
    duration: fc.integer({ min: 0, max: 60 }),
    interval: fc.constantFrom(...INTERVALS),
    day_of_week: fc.constantFrom(...DAYS),
    date_of_month: fc.integer({ min: 1, max: 31 }),
    use_execution_window: fc.boolean(),
    start_time: time,
    end_time: time,
    execution_window_days: fc.subarray([...DAYS], { minLength: 1 }),
  })
  .filter(({ start_time, end_time }) => start_time !== end_time)

/** Moments within three days of a clock change of a zone, in the years 2026 to 2029; any moment where a zone has none. */
const momentIn = (zone: string): fc.Arbitrary<string> => {
  const changes: number[] = []
  let moment = Temporal.Instant.from('2026-01-01T00:00:00Z').toZonedDateTimeISO(zone)
  for (
    let next = moment.getTimeZoneTransition('next');
    next && next.year < 2030;
    next = moment.getTimeZoneTransition('next')
  ) {
    changes.push(next.epochMilliseconds)
    moment = next
  }
  const around = changes.length > 0 ? changes : [Date.parse('2026-05-01T00:00:00Z')]
  return fc
    .tuple(fc.constantFrom(...around), fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 }))
    .map(([change, minutes]) => new Date(change + minutes * 60_000).toISOString())
}

describe('delays over clock changes', () => {
  const seed = seedOfRun()
  for (const zone of ZONES)
    it(`are those of another implementation of Temporal in ${zone}`, () => {
      const property = fc.property(delays, momentIn(zone), (delay, now) => {
        expect(dueAt(delay, now, zone)).to.equal(oracle(delay, now, zone))
      })
      fc.assert(property, { numRuns: 120, seed })
    })
})
