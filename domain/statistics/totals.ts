import type { Documents } from '../kernel/decide/command.ts'
import { isJsonObject, type JsonObject } from '../kernel/values/event.ts'
import { addSales, NO_SALES, type SalesSums, salesIn } from './addition.ts'
import { readCells, type Scope, scopeKey } from './buckets.ts'
import { MINUTE_MS, minuteOf, sessionsIn } from './cells.ts'
import { ENTRIES, type Entry, entryIn } from './entries.ts'
import type { Window } from './window.ts'

/** No view is older when it is recorded: it may be half an hour old when it arrives. What happened longer before a moment was recorded by then. */
const LONGEST_AGE_MS = 31 * MINUTE_MS

/** Numbers of a step or a funnel in a window. */
export interface Totals {
  readonly views: number
  /** Views without consent, which belong to no session. */
  readonly unidentified: number
  /** Views that have not arrived. */
  readonly lost: number
  /** Distinct sessions with a view; of steps alone. */
  readonly sessions: number
  readonly optins: number
  readonly sales: ReadonlyMap<string, SalesSums>
}

/** Question for the numbers of a funnel and some of its steps. */
export interface Asked {
  readonly funnelId: number
  readonly stepIds: readonly number[]
  readonly live: boolean
  readonly window: Window
  /** Only what was recorded until this moment counts; absent: everything. */
  readonly recordedUntil?: number
}

/** Sums that are added up, to be read as totals. */
class Sum implements Totals {
  views = 0
  unidentified = 0
  lost = 0
  sessions = 0
  optins = 0
  readonly sales = new Map<string, SalesSums>()

  addCell(cell: JsonObject, beforeMinute: number): void {
    this.views += Number(cell.views ?? 0)
    this.unidentified += Number(cell.unidentified ?? 0)
    this.lost += Number(cell.lost ?? 0)
    this.optins += Number(cell.optins ?? 0)
    this.sessions += sessionsIn(cell, beforeMinute)
    if (isJsonObject(cell.sales))
      for (const [currency, stored] of Object.entries(cell.sales)) this.#addSales(currency, salesIn(stored), 1)
  }

  /** Adds an entry so many times, and its session so many times. */
  addEntry(
    { views, unidentified, lost, optins, sessionViews, currency, sums }: Entry,
    times: number,
    sessions: number,
  ): void {
    this.views += times * views
    this.unidentified += times * unidentified
    this.lost += times * lost
    this.optins += times * optins
    this.sessions += sessions * sessionViews
    if (currency !== undefined && sums) this.#addSales(currency, sums, times)
  }

  #addSales(currency: string, sums: Partial<SalesSums>, times: number): void {
    this.sales.set(currency, addSales(this.sales.get(currency) ?? NO_SALES, sums, times))
  }
}

/** Numbers of steps, by their ids. */
export type TotalsOfSteps = ReadonlyMap<number, Totals>

const NOTHING: Totals = new Sum()

/** Returns the totals of a step out of an answer; zeros for one without numbers. */
export const totalsOf = (steps: TotalsOfSteps, stepId: number): Totals => steps.get(stepId) ?? NOTHING

/** The window between whole minutes that the sums answer for: its beginning is the nearest minute, its end the next one. */
export const wholeMinutes = ({ from, to }: Window): Window => ({
  from: Math.round(from / MINUTE_MS) * MINUTE_MS,
  to: Math.ceil(to / MINUTE_MS) * MINUTE_MS,
})

/** The smallest window between whole minutes that has all of another in it. For sums of which nothing is outside the window. */
export const outwardMinutes = ({ from, to }: Window): Window => ({
  from: Math.floor(from / MINUTE_MS) * MINUTE_MS,
  to: Math.ceil(to / MINUTE_MS) * MINUTE_MS,
})

const isIn = ({ at }: Entry, { from, to }: Window): boolean => at >= from && at < to

/** Whether an entry is in a window, and its session has not been seen there before. */
const isFirstIn = (entry: Entry, window: Window): boolean =>
  isIn(entry, window) && (entry.previousAt === null || entry.previousAt < window.from)

/**
 * Returns the exact numbers of a funnel and of steps in a window.
 *
 * Distinct sessions are the views whose session has no earlier view in the window. Sums answer that between whole minutes. For the rest, the entries
 * that lie on one side of an edge by the minute and on the other by the millisecond are read, and so are those whose previous view does. How many that
 * are depends on the traffic of half a minute, not on the length of the window.
 */
export const totalsIn = async (
  asked: Asked,
  read: Documents,
): Promise<{ readonly funnel: Totals; readonly steps: TotalsOfSteps }> => {
  const { funnelId, stepIds, live, window, recordedUntil } = asked
  const whole = wholeMinutes(window)
  const funnel = new Sum()
  const steps = new Map(stepIds.map((id) => [id, new Sum()]))
  const add = (entry: Entry, times: number, sessions: number) => {
    funnel.addEntry(entry, times, 0)
    steps.get(entry.stepId)?.addEntry(entry, times, sessions)
  }
  const scopes: readonly (readonly [Scope, Sum])[] = [
    [{ funnelId }, funnel],
    ...[...steps].map(([stepId, sum]) => [{ stepId }, sum] as const),
  ]
  const scope = scopeKey({ funnelId }, live)
  // Entries are read first, so that none is taken off sums that do not have it yet.
  const atEdges = await entriesAtEdges(scope, window, whole, read)
  const recordedLater =
    recordedUntil === undefined ? [] : await entriesRecordedLater(scope, window, recordedUntil, read)
  await Promise.all(scopes.map(([one, sum]) => addBuckets(scopeKey(one, live), whole, sum, read)))
  for (const entry of atEdges)
    add(
      entry,
      Number(isIn(entry, window)) - Number(isIn(entry, whole)),
      Number(isFirstIn(entry, window)) - Number(isFirstIn(entry, whole)),
    )
  for (const entry of recordedLater) add(entry, -Number(isIn(entry, window)), -Number(isFirstIn(entry, window)))
  return { funnel, steps }
}

const addBuckets = async (scope: string, { from, to }: Window, sum: Sum, read: Documents): Promise<void> => {
  const beforeMinute = minuteOf(from)
  for (const cell of await readCells(scope, from, to, read)) sum.addCell(cell, beforeMinute)
}

type TimeField = 'at' | 'previous_at'

const entriesBetween = async (
  scope: string,
  field: TimeField,
  { from, to }: Window,
  read: Documents,
): Promise<readonly (readonly [number | string, Entry])[]> => {
  if (from >= to) return []
  const found = await read.find(ENTRIES, { where: { scope, [field]: { $gte: from, $lt: to } }, sort: { by: field } })
  return found.map((document) => [document.id, entryIn(document)])
}

/** Returns the entries, each once, for which a window and the nearest one between whole minutes may differ. */
const entriesAtEdges = async (
  scope: string,
  window: Window,
  whole: Window,
  read: Documents,
): Promise<Iterable<Entry>> => {
  const beginning = { from: Math.min(window.from, whole.from), to: Math.max(window.from, whole.from) }
  const found = await Promise.all([
    entriesBetween(scope, 'at', beginning, read),
    entriesBetween(scope, 'previous_at', beginning, read),
    entriesBetween(scope, 'at', { from: window.to, to: whole.to }, read),
  ])
  return new Map(found.flat()).values()
}

/** Returns the entries in a window that were recorded only after a moment. */
const entriesRecordedLater = async (
  scope: string,
  { from, to }: Window,
  moment: number,
  read: Documents,
): Promise<readonly Entry[]> => {
  const found = await entriesBetween(scope, 'at', { from: Math.max(from, moment - LONGEST_AGE_MS), to }, read)
  return found.map(([, entry]) => entry).filter(({ recordedAt }) => recordedAt > moment)
}
