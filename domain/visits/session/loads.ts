/** View of a page load by its number within it: 1, 2, 3 … */
export type ViewOfLoad = { readonly load: string; readonly number: number }

/**
 * The last page loads of a session, the newest at the end: `load.top`, or `load.top:1,2` where views 1 and 2 have not arrived. They tell a view that
 * is sent again from one that is late, and both from a new one.
 */
export type Loads = readonly string[]

interface Load {
  readonly top: number
  readonly missing: readonly number[]
}

/** Page loads that are remembered. */
const MOST_LOADS = 200
/** Most views that one view can show to be lost: numbers come from strangers. */
const MOST_LOST = 20

const UNSEEN: Load = { top: 0, missing: [] }

const indexOf = (loads: Loads, load: string): number => {
  const { length } = load
  for (let at = loads.length - 1; at >= 0; at--) {
    const one = loads[at] ?? ''
    if (one[length] === '.' && one.startsWith(load)) return at
  }
  return -1
}

const loadIn = (text: string | undefined, load: string): Load => {
  if (text === undefined) return UNSEEN
  const [top, missing] = text.slice(load.length + 1).split(':')
  return { top: Number(top), missing: missing ? missing.split(',').map(Number) : [] }
}

/** Number of views above one and up to another, as far as they are believed. */
const countBetween = (above: number, to: number): number => Math.min(MOST_LOST, Math.max(0, to - above))

/** Numbers above one and up to another: the last of them, if there are too many. */
const between = (above: number, to: number): readonly number[] => {
  const length = countBetween(above, to)
  return Array.from({ length }, (_, index) => to - length + 1 + index)
}

const put = (loads: Loads, at: number, load: string, { top, missing }: Load): Loads => {
  const text = `${load}.${top}${missing.length > 0 ? `:${missing.slice(-MOST_LOST).join(',')}` : ''}`
  const others = at < 0 ? loads.slice(Math.max(0, loads.length - MOST_LOADS + 1)) : loads.toSpliced(at, 1)
  return [...others, text]
}

/** Returns the loads after a view has arrived, which may show those between it and the last one of its load to be lost. */
export const withView = (loads: Loads, { load, number }: ViewOfLoad, showsLost: boolean): Loads => {
  const at = indexOf(loads, load)
  const { top, missing } = loadIn(loads[at], load)
  const gap = showsLost ? between(top, number - 1) : []
  const left = number > top ? [...missing, ...gap] : missing.filter((lost) => lost !== number)
  return put(loads, at, load, { top: Math.max(top, number), missing: left })
}

/** Returns the loads after a view, and those before it in its load, have turned out to be lost. */
export const withLost = (loads: Loads, { load, number }: ViewOfLoad): Loads => {
  const at = indexOf(loads, load)
  const { top, missing } = loadIn(loads[at], load)
  return number > top ? put(loads, at, load, { top: number, missing: [...missing, ...between(top, number)] }) : loads
}

/** What an arriving view is. */
export interface Arrived {
  /** Whether it has arrived before. */
  readonly isRepeated: boolean
  /** Whether it may have arrived before, in a load that is no longer remembered. */
  readonly isForgotten: boolean
  /** Whether it was taken for lost. */
  readonly isLate: boolean
  /** Views that it shows to be lost; -1 when it is a lost one itself. */
  readonly lost: number
  /** Whether that includes the last view of the load before it in its tab. */
  readonly isAfterLost: boolean
}

/** Returns what an arriving view is, and what it tells of those before it. */
export const arrive = (loads: Loads, { load, number }: ViewOfLoad, after: ViewOfLoad | undefined): Arrived => {
  const at = indexOf(loads, load)
  const { top, missing } = loadIn(loads[at], load)
  const isLate = missing.includes(number)
  const within = isLate ? -1 : countBetween(top, number - 1)
  const former =
    after && after.load !== load
      ? countBetween(loadIn(loads[indexOf(loads, after.load)], after.load).top, after.number)
      : 0
  return {
    isRepeated: number <= top && !isLate,
    isForgotten: at < 0 && loads.length >= MOST_LOADS,
    isLate,
    lost: Math.min(MOST_LOST, within + former),
    isAfterLost: former > 0,
  }
}

/** Returns the number of views that the first view of a session shows to be lost. */
export const lostBeforeFirst = ({ number }: ViewOfLoad): number => countBetween(0, number - 1)
