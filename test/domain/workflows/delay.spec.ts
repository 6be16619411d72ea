import { expect } from 'chai'
import { admittedAt, DAYS, type Delay, dueAt, zoneOfDelay } from '../../../domain/workflows/steps/delay-times.ts'

const delay = (more: Partial<Delay>): Delay => ({
  delay_type: 'relative',
  duration: 0,
  interval: 'days',
  day_of_week: null,
  date_of_month: null,
  use_execution_window: false,
  start_time: null,
  end_time: null,
  execution_window_days: [],
  ...more,
})
const WEEKDAYS = DAYS.slice(1, 6)
const window = (
  start_time: string,
  end_time: string,
  execution_window_days: Delay['execution_window_days'] = DAYS,
) => ({
  use_execution_window: true,
  start_time,
  end_time,
  execution_window_days,
})

describe('delays', () => {
  it('14 92: 40 days and 5 years wait 40 days and 5 years', () => {
    expect(dueAt(delay({ duration: 40 }), '2026-03-01T09:00:00.000Z', 'UTC')).to.equal('2026-04-10T09:00:00.000Z')
    expect(dueAt(delay({ duration: 5, interval: 'years' }), '2026-03-01T09:00:00.000Z', 'UTC')).to.equal(
      '2031-03-01T09:00:00.000Z',
    )
    expect(dueAt(delay({ duration: 57_600, interval: 'minutes' }), '2026-03-01T09:00:00.000Z', 'UTC')).to.equal(
      '2026-04-10T09:00:00.000Z',
    )
  })

  it('14 93: delay, then window, then day: what falls outside goes to the beginning of the next allowed window', () => {
    const office = delay({ duration: 1, ...window('09:00', '17:00', WEEKDAYS) })
    const due = (now: string) => dueAt(office, now, 'UTC')
    // 2026-03-05 is a Thursday.
    expect(due('2026-03-04T20:00:00Z'), 'after the window, so on the next day').to.equal('2026-03-06T09:00:00.000Z')
    expect(due('2026-03-05T20:15:00Z'), 'Friday evening, so on Monday').to.equal('2026-03-09T09:00:00.000Z')
    expect(due('2026-03-06T12:34:00Z'), 'Saturday noon, and not Monday 12:34').to.equal('2026-03-09T09:00:00.000Z')
    expect(due('2026-03-04T06:00:00Z'), 'before the window').to.equal('2026-03-05T09:00:00.000Z')
    expect(due('2026-03-04T12:34:00Z'), 'inside').to.equal('2026-03-05T12:34:00.000Z')
    expect(due('2026-03-04T17:00:00Z'), 'its end is outside').to.equal('2026-03-06T09:00:00.000Z')
  })

  it('14 94: a window over midnight works, and belongs to the day on which it begins', () => {
    const night = delay({ ...window('22:00', '02:00', ['friday']) })
    const due = (now: string) => dueAt(night, now, 'UTC')
    expect(due('2026-03-06T21:59:00Z')).to.equal('2026-03-06T22:00:00.000Z')
    expect(due('2026-03-06T23:30:00Z')).to.equal('2026-03-06T23:30:00.000Z')
    expect(due('2026-03-07T01:59:00Z'), 'Saturday, in the window of Friday').to.equal('2026-03-07T01:59:00.000Z')
    expect(due('2026-03-07T02:00:00Z')).to.equal('2026-03-13T22:00:00.000Z')
    expect(due('2026-03-06T01:00:00Z'), 'Friday, but in the night of Thursday').to.equal('2026-03-06T22:00:00.000Z')
  })

  it('14 95: a step that is due inside its window but reached after it waits for the next window', () => {
    const office = delay({ duration: 3, interval: 'hours', ...window('09:00', '17:00', WEEKDAYS) })
    expect(dueAt(office, '2026-03-06T13:00:00Z', 'UTC')).to.equal('2026-03-06T16:00:00.000Z')
    expect(admittedAt(office, '2026-03-06T16:30:00Z', 'UTC'), 'still open').to.equal('2026-03-06T16:30:00.000Z')
    expect(admittedAt(office, '2026-03-06T18:00:00Z', 'UTC')).to.equal('2026-03-09T09:00:00.000Z')
    expect(admittedAt(delay({ duration: 3 }), '2026-03-06T18:00:00Z', 'UTC'), 'without a window').to.equal(
      '2026-03-06T18:00:00.000Z',
    )
  })

  it('14 96: a contact without a zone has that of the workspace', () => {
    const own = { time_zone: null, use_contact_time_zone: true }
    expect(zoneOfDelay(own, 'Tokyo', 'Berlin')).to.equal('Asia/Tokyo')
    expect(zoneOfDelay(own, null, 'Berlin')).to.equal('Europe/Berlin')
    expect(zoneOfDelay(own, null, null)).to.equal('UTC')
    const named = { time_zone: 'Eastern Time (US & Canada)', use_contact_time_zone: false }
    expect(zoneOfDelay(named, 'Tokyo', 'Berlin')).to.equal('America/New_York')
    expect(zoneOfDelay({ ...named, time_zone: null }, 'Tokyo', 'Berlin'), 'neither').to.equal('Europe/Berlin')
  })

  it('14 97: 31 January and a month is the last of February', () => {
    const month = delay({ duration: 1, interval: 'months' })
    expect(dueAt(month, '2026-01-31T09:00:00Z', 'UTC')).to.equal('2026-02-28T09:00:00.000Z')
    expect(dueAt(month, '2028-01-31T09:00:00Z', 'UTC')).to.equal('2028-02-29T09:00:00.000Z')
    expect(dueAt(month, '2026-01-31T23:30:00Z', 'Asia/Tokyo'), '1 February in Tokyo').to.equal(
      '2026-02-28T23:30:00.000Z',
    )
  })

  it('14 97: the 31st of April is the 30th', () => {
    const last = delay({ delay_type: 'day_of_month', date_of_month: 31, start_time: '08:00' })
    expect(dueAt(last, '2026-04-02T09:00:00Z', 'UTC')).to.equal('2026-04-30T08:00:00.000Z')
    expect(dueAt(last, '2026-04-30T09:00:00Z', 'UTC'), 'its time is past').to.equal('2026-05-31T08:00:00.000Z')
    expect(dueAt(last, '2026-01-31T09:00:00Z', 'UTC')).to.equal('2026-02-28T08:00:00.000Z')
    expect(dueAt(last, '2026-12-31T08:00:00Z', 'UTC'), 'its time is now').to.equal('2026-12-31T08:00:00.000Z')
  })

  it('14 97: the day of the week of today with its time past is in a week', () => {
    const monday = delay({ delay_type: 'day_of_week', day_of_week: 'monday', start_time: '09:00' })
    expect(dueAt(monday, '2026-03-09T08:00:00Z', 'UTC')).to.equal('2026-03-09T09:00:00.000Z')
    expect(dueAt(monday, '2026-03-09T09:00:01Z', 'UTC')).to.equal('2026-03-16T09:00:00.000Z')
    expect(dueAt(monday, '2026-03-10T09:00:00Z', 'UTC')).to.equal('2026-03-16T09:00:00.000Z')
    expect(dueAt({ ...monday, start_time: null }, '2026-03-09T08:00:00Z', 'UTC'), 'midnight').to.equal(
      '2026-03-16T00:00:00.000Z',
    )
  })

  it('14 97: 0 is now', () => {
    for (const interval of ['minutes', 'days', 'years'] as const)
      expect(dueAt(delay({ interval }), '2026-03-29T01:30:00.123Z', 'Europe/Berlin')).to.equal(
        '2026-03-29T01:30:00.123Z',
      )
  })

  it('keeps the time of day over a clock change, and counts hours as they pass', () => {
    const now = '2026-03-28T08:00:00Z'
    expect(dueAt(delay({ duration: 1 }), now, 'Europe/Berlin')).to.equal('2026-03-29T07:00:00.000Z')
    expect(dueAt(delay({ duration: 24, interval: 'hours' }), now, 'Europe/Berlin')).to.equal('2026-03-29T08:00:00.000Z')
  })

  it('opens the whole of the allowed days where a window has no times', () => {
    const sundays = delay({ use_execution_window: true, execution_window_days: ['sunday'] })
    expect(dueAt(sundays, '2026-03-27T12:00:00Z', 'Europe/Berlin')).to.equal('2026-03-28T23:00:00.000Z')
    expect(dueAt(sundays, '2026-03-29T21:59:00Z', 'Europe/Berlin')).to.equal('2026-03-29T21:59:00.000Z')
    expect(dueAt(sundays, '2026-03-29T22:00:00Z', 'Europe/Berlin')).to.equal('2026-04-04T22:00:00.000Z')
  })
})
