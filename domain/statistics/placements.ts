import type { Documents } from '../kernel/decide/command.ts'
import { isJsonObject, type Json, type RecordedEvent } from '../kernel/values/event.ts'
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

/** Weights as keys hold them: percentages, or nothing for a conditional split. */
const weightsText = (weights: Json | undefined): string => (Array.isArray(weights) ? weights.join('/') : '')

const weightsIn = (text: string): readonly [number, number] | null => {
  const [first, second] = text.split('/')
  return second === undefined ? null : [Number(first), Number(second)]
}

/** Returns the changes that the decision of a split for a visitor brings about. */
export const placementChanges = ({ data, metadata, position }: RecordedEvent): readonly TallyChange[] => {
  const { split_id, branch, weights, live_mode } = data
  if (typeof split_id !== 'number') return []
  const at = Date.parse(metadata.at)
  const scope = scopeKey({ splitId: split_id }, live_mode === true)
  const key = `${weightsText(weights)}:${branch === 1 ? 1 : 0}`
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

/** Returns the entries of a split in a window, exact to the millisecond, by the weights of their moment. */
export const placementsIn = async (
  { splitId, live, window }: PlacementsAsked,
  read: Documents,
): Promise<readonly WeighedEntries[]> => {
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
  return byWeights(counts)
}

const byWeights = (counts: ReadonlyMap<string, number>): readonly WeighedEntries[] => {
  const texts = new Set([...counts].flatMap(([key, count]) => (count > 0 ? [key.slice(0, key.lastIndexOf(':'))] : [])))
  return [...texts].sort().map((text) => ({
    weights: weightsIn(text),
    counts: [counts.get(`${text}:0`) ?? 0, counts.get(`${text}:1`) ?? 0] as const,
  }))
}
