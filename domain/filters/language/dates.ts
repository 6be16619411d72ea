import { dayIn } from '../../kernel/values/instant.ts'
import type { CriterionValue } from '../criteria/criterion.ts'
import type { Cursor } from './words.ts'

/** Condition on a date: a clause with its value. */
export interface DatePhrase {
  readonly clause: string
  readonly value: CriterionValue
}

const DAYS_IN: ReadonlyMap<string, number> = new Map([
  ['day', 1],
  ['week', 7],
  ['month', 30],
  ['year', 365],
])
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

const pad = (number: number): string => String(number).padStart(2, '0')

/** Returns a day as `YYYY-MM-DD`, or `undefined` when the calendar has no such day. */
const day = (year: number, month: number, date: number): string | undefined =>
  dayIn(`${year}-${pad(month)}-${pad(date)}`)

const shifted = (text: string, days: number): string =>
  new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10)

const monthNumber = (word: string | undefined): number | undefined => {
  if (word === undefined || word.length < 3) return undefined
  const index = MONTHS.findIndex((month) => month === word || (word.length <= 4 && month.startsWith(word)))
  return index < 0 ? undefined : index + 1
}

const yearNumber = (word: string | undefined): number | undefined =>
  word && /^(19|20|21)\d{2}$/.test(word) ? Number(word) : undefined
const dateNumber = (word: string | undefined): number | undefined => {
  const match = /^(\d{1,2})(st|nd|rd|th)?$/.exec(word ?? '')
  return match ? Number(match[1]) : undefined
}

/** Reads a day: ISO, `March 5, 2026` or `5 March 2026`. */
const readDay = (cursor: Cursor): string | undefined =>
  cursor.try(() => {
    const first = cursor.next()?.word ?? ''
    const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(first)
    if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    const named = monthNumber(first)
    if (named) {
      const date = dateNumber(cursor.next()?.word)
      cursor.take(',')
      const year = yearNumber(cursor.next()?.word)
      return date && year ? day(year, named, date) : undefined
    }
    const date = dateNumber(first)
    cursor.take('of')
    const month = monthNumber(cursor.next()?.word)
    cursor.take(',')
    const year = yearNumber(cursor.next()?.word)
    return date && month && year ? day(year, month, date) : undefined
  })

/** Reads a month or a year. Returns its first and last day. */
const readPeriod = (cursor: Cursor): readonly [string, string] | undefined =>
  cursor.try(() => {
    const first = cursor.next()?.word
    const year = yearNumber(first)
    if (year) return [`${year}-01-01`, `${year}-12-31`] as const
    const month = monthNumber(first)
    const yearOfMonth = month && yearNumber(cursor.next()?.word)
    if (!month || !yearOfMonth) return undefined
    const following = month === 12 ? `${yearOfMonth + 1}-01-01` : `${yearOfMonth}-${pad(month + 1)}-01`
    return [`${yearOfMonth}-${pad(month)}-01`, shifted(following, -1)] as const
  })

/** Reads a span: `30 days`, `two weeks`, `a month`. Returns the number of days. */
const readSpan = (cursor: Cursor): string | undefined =>
  cursor.try(() => {
    const first = cursor.next()?.word ?? ''
    const hyphenated = /^(\d{1,4})-(day|week|month|year)s?$/.exec(first)
    if (hyphenated) return String(Number(hyphenated[1]) * DAYS_IN.get(hyphenated[2]!)!)
    const named = NUMBERS.indexOf(first)
    const count = /^\d{1,4}$/.test(first)
      ? Number(first)
      : first === 'a' || first === 'an'
        ? 1
        : named >= 0
          ? named
          : undefined
    const unit = DAYS_IN.get((cursor.next()?.word ?? '').replace(/s$/, ''))
    return count === undefined || unit === undefined ? undefined : String(count * unit)
  })

const ago = (clause: string, days: string): DatePhrase => ({ clause, value: { days, modifier: 'ago' } })

const WITHIN = [
  'in the last',
  'in the past',
  'within the last',
  'within the past',
  'during the last',
  'during the past',
  'over the last',
  'over the past',
  'for the last',
  'for the past',
  'the last',
  'the past',
  'within',
  'last',
  'past',
]

const readWithin = (cursor: Cursor): DatePhrase | undefined =>
  cursor.try(() => {
    const phrase = cursor.takeAny(WITHIN)
    if (!phrase) return undefined
    const span = readSpan(cursor)
    if (span !== undefined) return ago('lt', span)
    const unit = phrase.includes('the') ? DAYS_IN.get(cursor.next()?.word ?? '') : undefined
    return unit === undefined ? undefined : ago('lt', String(unit))
  })

const readDistance = (cursor: Cursor): DatePhrase | undefined =>
  cursor.try(() => {
    const phrase = cursor.takeAny(['more than', 'over', 'at least', 'less than', 'fewer than', 'under'])
    const span = readSpan(cursor)
    if (span === undefined || !cursor.take('ago')) return undefined
    if (phrase === undefined) return ago('exct', span)
    return phrase === 'at least' ? undefined : ago(phrase === 'more than' || phrase === 'over' ? 'gt' : 'lt', span)
  })

const readNamedDay = (cursor: Cursor): DatePhrase | undefined => {
  if (cursor.take('today')) return ago('exct', '0')
  return cursor.take('yesterday') ? ago('exct', '1') : undefined
}

const BOUNDS: readonly (readonly [phrases: readonly string[], clause: string, shift: number])[] = [
  [['on or after', 'since', 'from'], 'gte', 0],
  [['on or before', 'until', 'till', 'up to', 'by'], 'lte', 0],
  [['after', 'later than'], 'gte', 1],
  [['before', 'earlier than'], 'lte', -1],
  [['on'], 'eq', 0],
]

const readBound = (cursor: Cursor): DatePhrase | undefined =>
  cursor.try(() => {
    for (const [phrases, clause, shift] of BOUNDS) {
      if (!cursor.takeAny(phrases)) continue
      const found = readDay(cursor)
      return found === undefined ? undefined : { clause, value: shifted(found, shift) }
    }
    return undefined
  })

const readRange = (cursor: Cursor): DatePhrase | undefined =>
  cursor.try(() => {
    if (cursor.take('in') || cursor.take('during')) {
      const period = readPeriod(cursor)
      return period && { clause: 'btwn', value: [...period] }
    }
    const words = cursor.take('between') ? ['and'] : cursor.take('from') ? ['to', 'until', 'till'] : undefined
    const first = words && readDay(cursor)
    const last = first && words.some((word) => cursor.take(word)) ? readDay(cursor) : undefined
    return first && last && first <= last ? { clause: 'btwn', value: [first, last] } : undefined
  })

/** Reads the condition on a date at the cursor. Weeks, months and years count as 7, 30 and 365 days. */
export const readDates = (cursor: Cursor): DatePhrase | undefined =>
  readRange(cursor) ?? readWithin(cursor) ?? readDistance(cursor) ?? readNamedDay(cursor) ?? readBound(cursor)

/** Reads for how long something has not happened: `30 days`, `the last month`. */
export const readAbsence = (cursor: Cursor): DatePhrase | undefined => {
  const within = readWithin(cursor)
  if (within) return { ...within, clause: 'gt' }
  return cursor.try(() => {
    cursor.takeAny(['for more than', 'for over', 'for', 'in more than', 'in'])
    const span = readSpan(cursor)
    return span === undefined ? undefined : ago('gt', span)
  })
}
