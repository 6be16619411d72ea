import { LRUCache } from 'lru-cache'
import type { ApiContext } from './context.ts'

const WINDOW_MS = 60_000
/** So many are counted; of more, those that have been silent longest begin anew. */
const MOST = 10_000

/** The minute that began with the first of what is counted in it. */
export interface Window {
  readonly endsAt: number
  used: number
}

/** The window of a key that is open now. */
export const windows = <K extends string | number>(): ((key: K) => Window) => {
  const open = new LRUCache<K, Window>({ max: MOST })
  return (key) => {
    const now = performance.now()
    const known = open.get(key)
    if (known && known.endsAt > now) return known
    const begun: Window = { endsAt: now + WINDOW_MS, used: 0 }
    open.set(key, begun)
    return begun
  }
}

/** Tells the client where it stands; gives the seconds until it may begin anew. */
export const tellWindow = ({ state }: ApiContext, limit: number, { endsAt, used }: Window): number => {
  const seconds = Math.ceil((endsAt - performance.now()) / 1000)
  const left = Math.max(0, limit - used)
  state.headers.push('RateLimit-Limit', `${limit}`, 'RateLimit-Remaining', `${left}`, 'RateLimit-Reset', `${seconds}`)
  return seconds
}
