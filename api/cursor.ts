import type { Place } from '../domain/kernel/ports/read-models.ts'
import type { Json } from '../domain/kernel/values/event.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import type { WalkStart } from '../projections/walks.ts'

/** Place from which a list continues in an order by a field, and the walk that it belongs to. */
export interface Cursor {
  readonly by: string
  readonly place: Place
  /** Absent when the walk goes on in the present order. */
  readonly start?: WalkStart | undefined
}

/** Pattern of a cursor: the id of the last record, and what else tells where it stood. */
export const CURSOR = '^\\d{1,16}\\.[A-Za-z0-9_-]+$'
/** Highest number of characters of a cursor. */
export const LONGEST_CURSOR = 4000
const LONGEST_VALUE = 1000

const FORM = new RegExp(CURSOR)

/** Kind under which positions in the log are spelled, so that they do not tell how much happens in other workspaces. */
const POSITION = 'walk'

/** Returns a cursor as text. It begins with the id, which is all that some clients look for. It says nothing that the record does not show. */
export const packCursor = (ids: PublicIds, { by, place, start }: Cursor): string => {
  const beginning = start ? [ids.of(POSITION).encode(start.position), start.since] : []
  const state = JSON.stringify([by, place.value ?? null, ...beginning])
  return `${place.id}.${Buffer.from(state).toString('base64url')}`
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Json
  } catch {
    return undefined
  }
}

const isSortValue = (value: Json | undefined): value is null | boolean | number | string =>
  value === null ||
  typeof value === 'boolean' ||
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= LONGEST_VALUE && value.isWellFormed() && !value.includes('\0'))

const startIn = (ids: PublicIds, position: Json | undefined, since: Json | undefined): WalkStart | undefined => {
  const at = typeof position === 'string' ? ids.of(POSITION).decode(position) : undefined
  const isTime = typeof since === 'number' && !Number.isNaN(new Date(since).getTime())
  return at !== undefined && isTime ? { position: at, since } : undefined
}

/** Returns the cursor in a text, or `undefined` for any other text. */
export const unpackCursor = (ids: PublicIds, text: string): Cursor | undefined => {
  if (text.length > LONGEST_CURSOR || !FORM.test(text)) return undefined
  const [digits = '', packed = ''] = text.split('.')
  const state = parsed(packed)
  const id = Number(digits)
  if (!Array.isArray(state) || !Number.isSafeInteger(id)) return undefined
  const [by, value, ...beginning] = state as readonly Json[]
  if (typeof by !== 'string' || !isSortValue(value)) return undefined
  if (beginning.length === 0) return { by, place: { id, value } }
  const start = beginning.length === 2 ? startIn(ids, beginning[0], beginning[1]) : undefined
  return start && { by, place: { id, value }, start }
}
