import type { Documents } from '../kernel/decide/command.ts'
import { isJsonObject, type JsonObject } from '../kernel/values/event.ts'
import type { Draft, Drafting, TallyChange } from '../resources/tally.ts'
import type { Addition } from './addition.ts'
import { addToCell, DAY_MS, HOUR_MS, MINUTE_MS, within } from './cells.ts'

/** Collection of the sums by day, by hour, and by the minutes of an hour. */
export const BUCKETS = 'statistics/bucket'

/** Whose numbers a bucket holds: all of a funnel, also of steps that were removed since, one step's, or one split's. */
export type Scope = { readonly funnelId: number } | { readonly stepId: number } | { readonly splitId: number }

type Level = 'day' | 'hour' | 'minutes'

/** Length of the stretch of time that a bucket of each level covers. */
const LENGTH: Readonly<Record<Level, number>> = { day: DAY_MS, hour: HOUR_MS, minutes: HOUR_MS }

/** Returns the key of a scope among the live or the test numbers. */
export const scopeKey = (scope: Scope, live: boolean): string => `${nameOf(scope)}:${live ? 'live' : 'test'}`

const nameOf = (scope: Scope): string => {
  if ('funnelId' in scope) return `funnel-${scope.funnelId}`
  return 'stepId' in scope ? `step-${scope.stepId}` : `split-${scope.splitId}`
}

const bucketId = (scope: string, level: Level, index: number): string => `${scope}:${level}:${index}`

const MINUTES_PER_HOUR = 60

/** Adds to the numbers of a stretch of time that begins at `start`. */
type AddToCell = (cell: Draft, start: number, draft: Drafting) => void

/** Returns the changes of all buckets of a scope that hold a moment. */
export const bucketsChanged = (
  scope: string,
  at: number,
  add: AddToCell,
  collection = BUCKETS,
): readonly TallyChange[] =>
  (['day', 'hour', 'minutes'] as const).map((level): TallyChange => {
    const index = Math.floor(at / LENGTH[level])
    const start = index * LENGTH[level]
    return {
      collection,
      id: bucketId(scope, level, index),
      addTo: (content, draft) =>
        level === 'minutes' ? addToMinutes(content, at, add, draft) : add(content, start, draft),
    }
  })

/** Returns the changes of buckets that an addition brings about. */
export const bucketChanges = (addition: Addition): readonly TallyChange[] =>
  scopesOf(addition).flatMap(([scope, counted]) =>
    bucketsChanged(scope, addition.at, (cell, start, draft) => addToCell(cell, counted, start, draft)),
  )

/** The sessions of a whole funnel are not asked for, and a session's previous view of a step says nothing about them. */
const scopesOf = (addition: Addition): readonly (readonly [string, Addition])[] => {
  const { stepId, funnelId, live } = addition
  return [
    [scopeKey({ stepId }, live), addition],
    [scopeKey({ funnelId }, live), { ...addition, sessionViews: 0 }],
  ]
}

const addToMinutes = (content: Draft, at: number, add: AddToCell, draft: Drafting): void => {
  const minute = Math.floor(at / MINUTE_MS)
  const minutes = within(content, 'minutes', draft)
  add(within(minutes, String(minute % MINUTES_PER_HOUR), draft), minute * MINUTE_MS, draft)
}

/** Bucket of which a window needs all, or for `minutes` those from one to before another. */
export interface WantedBucket {
  readonly id: string
  readonly minutes?: { readonly from: number; readonly to: number }
}

/** Returns the fewest buckets that cover a stretch of time between two whole minutes, `from` included, `to` not. */
export const bucketsBetween = (scope: string, from: number, to: number): readonly WantedBucket[] => {
  const wanted: WantedBucket[] = []
  let at = from
  while (at < to) {
    const level = levelAt(at, to)
    const index = Math.floor(at / LENGTH[level])
    const end = Math.min((index + 1) * LENGTH[level], to)
    const start = index * LENGTH[level]
    const id = bucketId(scope, level, index)
    wanted.push(
      level === 'minutes' ? { id, minutes: { from: (at - start) / MINUTE_MS, to: (end - start) / MINUTE_MS } } : { id },
    )
    at = end
  }
  return wanted
}

const levelAt = (at: number, to: number): Level => {
  if (at % DAY_MS === 0 && at + DAY_MS <= to) return 'day'
  return at % HOUR_MS === 0 && at + HOUR_MS <= to ? 'hour' : 'minutes'
}

/** Reads the cells of a scope between two whole minutes. */
export const readCells = async (
  scope: string,
  from: number,
  to: number,
  read: Documents,
  collection = BUCKETS,
): Promise<readonly JsonObject[]> => {
  const wanted = bucketsBetween(scope, from, to)
  const found = await read.getMany(
    collection,
    wanted.map(({ id }) => id),
  )
  return found.flatMap((bucket, index) => {
    const asked = wanted[index]
    return bucket && asked ? cellsOf(asked, bucket) : []
  })
}

/** Returns the cells of a bucket that a window needs. */
const cellsOf = ({ minutes }: WantedBucket, bucket: JsonObject): readonly JsonObject[] => {
  if (!minutes) return [bucket]
  if (!isJsonObject(bucket.minutes)) return []
  return Object.entries(bucket.minutes).flatMap(([minute, cell]) =>
    Number(minute) >= minutes.from && Number(minute) < minutes.to && isJsonObject(cell) ? [cell] : [],
  )
}
