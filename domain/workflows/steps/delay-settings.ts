import { Type } from 'typebox'
import { type Field, type FieldTable, field, problem } from '../../kernel/model/field.ts'
import { choice, flag, integer, list, text } from '../../kernel/model/fields.ts'
import type { Json } from '../../kernel/values/event.ts'
import { namedTimeZone } from '../../resources/attributes/time-zone.ts'
import { DAYS, DELAY_TYPES, type Delay, INTERVALS, LONGEST } from './delay-times.ts'
import type { StepSettings } from './effect.ts'
import type { SettingsProblem } from './step-type.ts'

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

const timeOfDay = () =>
  text({ nullable: true, about: 'HH:MM', form: { test: CLOCK, says: 'must be a time of day, HH:MM' } })

/** Declares a day of the week by its English name, or by its number from 0 for Sunday. */
const dayOfWeek = (nullable: boolean): Field<Delay['execution_window_days'][number] | null> =>
  field(
    Type.Enum([...DAYS]),
    { nullable, about: 'By its English name; a number counts from 0 for Sunday' },
    (value) => {
      const named = typeof value === 'string' && !/^\d$/.test(value) ? value.toLowerCase() : DAYS[Number(value)]
      const day = DAYS.find((one) => one === named)
      return day === undefined ? problem(`is not a day of the week (${DAYS.join(', ')})`, 'inclusion') : { value: day }
    },
    { sends: Type.Union([Type.Enum([...DAYS]), Type.Integer({ minimum: 0, maximum: 6 })]) },
  )

/** Settings of a `delay_step`. */
export const delayFields: FieldTable = {
  delay_type: choice(DELAY_TYPES),
  duration: integer({ nullable: true, min: 0, about: 'Ten years at most; 0: now' }),
  interval: choice(INTERVALS),
  time_zone: namedTimeZone({ nullable: true, about: 'By its name or its name in the tz database' }),
  use_contact_time_zone: flag(),
  use_execution_window: flag(),
  day_of_week: dayOfWeek(true),
  date_of_month: integer({ nullable: true, min: 1, max: 31, about: 'The last day of a month that is shorter' }),
  start_time: timeOfDay(),
  end_time: timeOfDay(),
  execution_window_days: list(dayOfWeek(false), { max: DAYS.length }),
}

/** A delay with the zone in which it counts. */
export interface ZonedDelay extends Delay {
  readonly time_zone: string | null
  readonly use_contact_time_zone: boolean
}

/** Settings of a `delay_step` about which nothing has been said. */
export const BLANK_DELAY = {
  delay_type: 'relative',
  duration: null,
  interval: 'days',
  time_zone: null,
  use_contact_time_zone: false,
  use_execution_window: false,
  day_of_week: null,
  date_of_month: null,
  start_time: null,
  end_time: null,
  execution_window_days: [],
} as const satisfies ZonedDelay

const textIn = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
const numberIn = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
const among = <W extends string>(words: readonly W[], value: Json | undefined): W | undefined =>
  words.find((word) => word === value)

/** Returns the delay of stored settings. */
export const delayOf = (settings: StepSettings): ZonedDelay => {
  const { delay_type, interval, day_of_week, execution_window_days: days } = settings
  return {
    delay_type: among(DELAY_TYPES, delay_type) ?? BLANK_DELAY.delay_type,
    duration: numberIn(settings.duration),
    interval: among(INTERVALS, interval) ?? BLANK_DELAY.interval,
    time_zone: textIn(settings.time_zone),
    use_contact_time_zone: settings.use_contact_time_zone === true,
    use_execution_window: settings.use_execution_window === true,
    day_of_week: among(DAYS, day_of_week) ?? null,
    date_of_month: numberIn(settings.date_of_month),
    start_time: textIn(settings.start_time),
    end_time: textIn(settings.end_time),
    execution_window_days: Array.isArray(days) ? DAYS.filter((day) => days.includes(day)) : [],
  }
}

const windowProblem = ({ start_time, end_time, execution_window_days }: Delay): SettingsProblem | undefined => {
  if (execution_window_days.length === 0)
    return { setting: 'execution_window_days', says: 'must have a day, where there is an execution window' }
  if ((start_time === null) !== (end_time === null))
    return {
      setting: start_time === null ? 'start_time' : 'end_time',
      says: 'is missing: a window has both or neither',
    }
  return start_time !== null && start_time === end_time
    ? { setting: 'end_time', says: 'must differ from start_time' }
    : undefined
}

/** Returns what is wrong with a delay. */
export const delayProblem = (delay: ZonedDelay): SettingsProblem | undefined => {
  const longest = LONGEST[delay.interval]
  if ((delay.duration ?? 0) > longest)
    return { setting: 'duration', says: `must be at most ${longest} ${delay.interval}` }
  if (delay.use_contact_time_zone && delay.time_zone !== null)
    return { setting: 'time_zone', says: 'cannot be given together with use_contact_time_zone' }
  return delay.use_execution_window ? windowProblem(delay) : undefined
}

/** Tells whether a delay has what its type needs. */
export const isDelaySetUp = ({ delay_type, duration, day_of_week, date_of_month }: Delay): boolean => {
  if (delay_type === 'day_of_week') return day_of_week !== null
  return (delay_type === 'day_of_month' ? date_of_month : duration) !== null
}
