import { Temporal } from '@js-temporal/polyfill'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Plan, periodStart } from '../../../domain/orders/billing/schedule.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu']
const MONTHS: Readonly<Record<string, number>> = { months: 1, quarters: 3, years: 12 }
const DAYS: Readonly<Record<string, number>> = { days: 1, weeks: 7 }

/** The same by the calendar alone: first the date is computed, then the zone is applied. */
const oracle = ({ anchor, zone, interval, count }: Plan, period: number): number => {
  const begun = Temporal.Instant.from(anchor).toZonedDateTimeISO(zone)
  const time = begun.toPlainTime()
  const months = begun.year * 12 + (begun.month - 1) + (MONTHS[interval] ?? 0) * count * period
  const first = Temporal.PlainDate.from({ year: Math.floor(months / 12), month: (months % 12) + 1, day: 1 })
  const date =
    interval in DAYS
      ? begun.toPlainDate().add({ days: DAYS[interval]! * count * period })
      : first.with({ day: Math.min(begun.day, first.daysInMonth) })
  return date.toPlainDateTime(time).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
}

const plan = (more: Partial<Plan>): Plan => ({
  anchor: '2026-01-31T08:00:00.000Z',
  zone: 'UTC',
  interval: 'months',
  count: 1,
  payments: null,
  ...more,
})
const days = (of: Plan, periods: number) =>
  Array.from({ length: periods }, (_, period) => periodStart(of, period)?.slice(0, 10))

describe('the schedule of a plan', () => {
  it('stays on the day of its start, or the last day of a shorter month', () => {
    expect(days(plan({}), 5)).to.deep.equal(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
    expect(days(plan({ anchor: '2024-02-29T08:00:00Z', interval: 'years' }), 5)).to.deep.equal([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ])
  })

  it('keeps the time of day when clocks change', () => {
    const berlin = plan({ anchor: '2026-03-22T08:00:00Z', zone: 'Europe/Berlin', interval: 'weeks' })
    expect([0, 1, 2].map((period) => periodStart(berlin, period))).to.deep.equal([
      '2026-03-22T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-04-05T07:00:00.000Z',
    ])
  })

  it('is that of the calendar for three years of every kind, in five zones', () => {
    const anchors = ['2026-01-31T08:30:00Z', '2024-02-29T23:45:00Z', '2026-03-29T01:30:00Z', '2026-10-25T00:30:00Z']
    for (const zone of ZONES)
      for (const anchor of anchors)
        for (const [interval, periods] of [
          ['days', 1100],
          ['weeks', 160],
          ['months', 36],
          ['quarters', 12],
          ['years', 3],
        ] as const)
          for (let period = 0; period <= periods; period++) {
            const of = plan({ anchor, zone, interval })
            expect(Date.parse(periodStart(of, period)!), JSON.stringify({ ...of, period })).to.equal(oracle(of, period))
          }
  })

  it('never goes back, for any plan', () => {
    const plans = fc.record({
      anchor: fc
        .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      zone: fc.constantFrom(...ZONES),
      interval: fc.constantFrom('days', 'weeks', 'months', 'quarters', 'years'),
      count: fc.integer({ min: 1, max: 24 }),
      payments: fc.constant(null),
    })
    fc.assert(
      fc.property(plans, fc.nat(60), (of, period) => {
        expect(periodStart(of, period + 1)! > periodStart(of, period)!).to.equal(true)
        expect(Date.parse(periodStart(of, period)!)).to.equal(oracle(of, period))
      }),
    )
  })

  it('ends at the limit of representable dates', () => {
    expect(periodStart(plan({ interval: 'years', count: 100_000 }), 1)).to.equal(null)
    expect(periodStart(plan({ interval: 'years', count: 100_000 }), 100_000)).to.equal(null)
  })
})
