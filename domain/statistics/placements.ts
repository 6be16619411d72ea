import type { Documents } from '../kernel/decide/command.ts'
import { isJsonObject, type JsonObject, type RecordedEvent } from '../kernel/values/event.ts'
import type { TallyChange } from '../resources/tally.ts'
import { bucketsChanged, readCells, scopeKey } from './buckets.ts'
import { within } from './cells.ts'
import { ENTRIES } from './entries.ts'
import { wholeMinutes } from './totals.ts'
import type { Window } from './window.ts'

/** Entries of a split, by branch, that were decided by the same weights. */
export interface WeighedEntries {
  /** `null` for a conditional split. */
  readonly weights: readonly [number, number] | null
  readonly counts: readonly [number, number]
}

/** Entries of a split by one branch that led to one step. */
export interface EntriesOfStep {
  readonly branch: 0 | 1
  /** Step and the page that it showed; 0: they were not kept then. */
  readonly stepId: number
  readonly pageId: number
  readonly count: number
}

/** Entries of a split: by the weights of their moments, and by the steps that were shown. */
export interface Placements {
  readonly weighed: readonly WeighedEntries[]
  readonly shown: readonly EntriesOfStep[]
}

/** Returns the key under which an entry is counted: weights in percent, none for a conditional split; step and page, 0 if not kept; and the branch. */
const keyOf = ({ weights, show_page_step_id, page_id, branch }: JsonObject): string =>
  [
    Array.isArray(weights) ? weights.join('/') : '',
    ...[show_page_step_id, page_id].map((id) => (typeof id === 'number' ? id : 0)),
    branch === 1 ? 1 : 0,
  ].join(':')

interface Counted extends EntriesOfStep {
  readonly weights: string
}

const countedAt = ([key, count]: readonly [string, number]): Counted => {
  const [weights = '', stepId, pageId, branch] = key.split(':')
  return { weights, stepId: Number(stepId), pageId: Number(pageId), branch: branch === '1' ? 1 : 0, count }
}

const weightsIn = (text: string): readonly [number, number] | null => {
  const [first, second] = text.split('/')
  return second === undefined ? null : [Number(first), Number(second)]
}

/** Returns the changes that the decision of a split for a visitor brings about. */
export const placementChanges = ({ data, metadata, position }: RecordedEvent): readonly TallyChange[] => {
  const { split_id, live_mode } = data
  if (typeof split_id !== 'number') return []
  const at = Date.parse(metadata.at)
  const scope = scopeKey({ splitId: split_id }, live_mode === true)
  const key = keyOf(data)
  return [
    {
      ...{ collection: ENTRIES, id: position, isNew: true },
      addTo: (content) => void Object.assign(content, { scope, at, placed: key }),
    },
    ...bucketsChanged(scope, at, (cell, _start, draft) => {
      const placed = within(cell, 'placed', draft)
      placed[key] = Number(placed[key] ?? 0) + 1
    }),
  ]
}

/** Question for the entries of a split. */
export interface PlacementsAsked {
  readonly splitId: number
  readonly live: boolean
  readonly window: Window
}

/** Returns the entries of a split in a window, exact to the millisecond. */
export const placementsIn = async (
  { splitId, live, window }: PlacementsAsked,
  read: Documents,
): Promise<Placements> => {
  const scope = scopeKey({ splitId }, live)
  const whole = wholeMinutes(window)
  const counts = new Map<string, number>()
  const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)
  const addBetween = async (from: number, to: number, times: number) => {
    if (from >= to) return
    const found = await read.find(ENTRIES, { where: { scope, at: { $gte: from, $lt: to } }, sort: { by: 'at' } })
    for (const { placed } of found) add(String(placed), times)
  }
  // The edges are read first, so that nothing is taken off sums that do not have it yet.
  await addBetween(window.from, whole.from, 1)
  await addBetween(whole.from, window.from, -1)
  await addBetween(window.to, whole.to, -1)
  for (const { placed } of await readCells(scope, whole.from, whole.to, read))
    if (isJsonObject(placed)) for (const [key, count] of Object.entries(placed)) add(key, Number(count))
  const found = [...counts].filter(([, count]) => count > 0).map(countedAt)
  return { weighed: byWeights(found), shown: found.map(({ weights, ...entries }) => entries) }
}

const byWeights = (found: readonly Counted[]): readonly WeighedEntries[] =>
  [...new Set(found.map(({ weights }) => weights))].sort().map((text) => {
    const of = (branch: 0 | 1) => countOf(found.filter((one) => one.weights === text && one.branch === branch))
    return { weights: weightsIn(text), counts: [of(0), of(1)] as const }
  })

/** Returns how many entries these are. */
export const countOf = (entries: readonly Pick<EntriesOfStep, 'count'>[]): number =>
  entries.reduce((sum, { count }) => sum + count, 0)
