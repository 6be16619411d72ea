import { isJsonObject, type JsonObject } from '../kernel/values/event.ts'
import type { Draft, Drafting } from '../resources/tally.ts'
import { type Addition, addSales, salesIn, storedSales } from './addition.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS)

/** Returns an object within a document, to be changed. */
export const within = (object: Draft, name: string, draft: Drafting): Draft => {
  const found = object[name]
  const changed = draft(isJsonObject(found) ? found : {})
  object[name] = changed
  return changed
}

/**
 * Adds to the numbers of a stretch of time that begins at `start`.
 *
 * Views of sessions are counted by their previous view: `first` without one, `crossing` by the minute of the previous view where that lies before the
 * stretch (`earliest` is the first of these). Of a previous view within the stretch nothing is noted: a window that holds the whole stretch has counted
 * that session already.
 */
export const addToCell = (cell: Draft, addition: Addition, start: number, draft: Drafting): void => {
  const { views, unidentified, lost, optins, currency, sums } = addition
  count(cell, 'views', views)
  count(cell, 'unidentified', unidentified)
  count(cell, 'lost', lost)
  count(cell, 'optins', optins)
  countSessions(cell, addition, start, draft)
  if (currency !== undefined && sums) countSales(within(cell, 'sales', draft), currency, sums)
}

const count = (cell: Draft, name: string, by: number): void => {
  if (by !== 0) cell[name] = Number(cell[name] ?? 0) + by
}

const countSessions = (cell: Draft, { sessionViews, previousAt }: Addition, start: number, draft: Drafting): void => {
  if (sessionViews === 0) return
  if (previousAt === null) count(cell, 'first', sessionViews)
  if (previousAt === null || previousAt >= start) return
  const minute = minuteOf(previousAt)
  count(within(cell, 'crossing', draft), String(minute), sessionViews)
  cell.earliest = Math.min(minute, Number(cell.earliest ?? minute))
}

const countSales = (sales: Draft, currency: string, sums: NonNullable<Addition['sums']>): void => {
  sales[currency] = storedSales(addSales(salesIn(sales[currency]), sums))
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
