import { LRUCache } from 'lru-cache'
import type { ApiContext } from './context.ts'

const MINUTE_MS = 60_000
/** Highest number of open windows. Beyond it, those without requests for longest are dropped and begin again. */
const MOST = 10_000

/** Time that begins with the first request counted in it. */
export interface Window {
  readonly endsAt: number
  used: number
}

/** Returns a function that gives the open window of a key. @param lastsMs default: a minute */
export const windows = <K extends string | number>(lastsMs = MINUTE_MS): ((key: K) => Window) => {
  const open = new LRUCache<K, Window>({ max: MOST })
  return (key) => {
    const now = performance.now()
    const known = open.get(key)
    if (known && known.endsAt > now) return known
    const opened: Window = { endsAt: now + lastsMs, used: 0 }
    open.set(key, opened)
    return opened
  }
}

/** Tells the client in headers how many requests are left. Returns the seconds until its window ends. */
export const setRateLimitHeaders = ({ state }: ApiContext, limit: number, { endsAt, used }: Window): number => {
  const seconds = Math.ceil((endsAt - performance.now()) / 1000)
  const left = Math.max(0, limit - used)
  state.headers.push('RateLimit-Limit', `${limit}`, 'RateLimit-Remaining', `${left}`, 'RateLimit-Reset', `${seconds}`)
  return seconds
}
