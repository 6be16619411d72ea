import { isJsonObject, type Json, type JsonObject } from '../kernel/values/event.ts'
import { type Addition, addSales, salesIn, storedSales } from './addition.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS)

/**
 * Adds to the numbers of a stretch of time that begins at `start`.
 *
 * Views of sessions are counted by their previous view: `first` without one, `crossing` by the minute of the previous view where that lies before the
 * stretch (`earliest` is the first of these). Of a previous view within the stretch nothing is noted: a window that holds the whole stretch has counted
 * that session already.
 */
export const addToCell = (
  before: Readonly<Record<string, Json | undefined>> | undefined,
  addition: Addition,
  start: number,
): JsonObject => {
  const { views, unidentified, optins, currency, sums } = addition
  return {
    ...before,
    ...plus(before, 'views', views),
    ...plus(before, 'unidentified', unidentified),
    ...plus(before, 'optins', optins),
    ...sessionsAfter(before, addition, start),
    ...(currency !== undefined && sums && { sales: salesAfter(before?.sales, currency, sums) }),
  }
}

type Stored = Readonly<Record<string, Json | undefined>> | undefined

const plus = (before: Stored, name: string, count: number): JsonObject =>
  count === 0 ? {} : { [name]: Number(before?.[name] ?? 0) + count }

const sessionsAfter = (before: Stored, { sessionViews, previousAt }: Addition, start: number): JsonObject => {
  if (sessionViews === 0) return {}
  if (previousAt === null) return plus(before, 'first', sessionViews)
  if (previousAt >= start) return {}
  const crossing = isJsonObject(before?.crossing) ? before.crossing : {}
  const minute = minuteOf(previousAt)
  return {
    crossing: { ...crossing, ...plus(crossing, String(minute), sessionViews) },
    earliest: Math.min(minute, Number(before?.earliest ?? minute)),
  }
}

const salesAfter = (before: Json | undefined, currency: string, sums: NonNullable<Addition['sums']>): JsonObject => {
  const all = isJsonObject(before) ? before : {}
  return { ...all, [currency]: storedSales(addSales(salesIn(all[currency]), sums)) }
}

/** Returns the views in a stretch of time by sessions whose previous view was before a minute, or that had none. */
export const sessionsIn = (cell: JsonObject, beforeMinute: number): number => {
  let sessions = Number(cell.first ?? 0)
  // In a long window this is so of nearly all stretches.
  if (Number(cell.earliest) >= beforeMinute) return sessions
  if (isJsonObject(cell.crossing))
    for (const [minute, count] of Object.entries(cell.crossing))
      if (Number(minute) < beforeMinute) sessions += Number(count)
  return sessions
}
