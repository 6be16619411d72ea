import { LRUCache } from 'lru-cache'

/** Highest number of buckets. Beyond it, those that were not used for longest are dropped, and are full when they are used again. */
const MOST = 10_000
/** Seconds of the sustained rate that may be used at once. */
const BURST_S = 10

interface Bucket {
  tokens: number
  /** Milliseconds of the process's clock at which `tokens` was right. */
  at: number
}

/**
 * Returns a function that takes a token from the bucket of a key. It returns 0, or the seconds after which there will be one.
 *
 * @param perMinute sustained rate; 0: no limit
 */
export const tokenBuckets = (perMinute: number, now = () => performance.now()): ((key: string) => number) => {
  if (perMinute === 0) return () => 0
  const perMs = perMinute / 60_000
  const capacity = Math.max(1, perMs * 1000 * BURST_S)
  const buckets = new LRUCache<string, Bucket>({ max: MOST })
  return (key) => {
    const at = now()
    const bucket = buckets.get(key) ?? { tokens: capacity, at }
    bucket.tokens = Math.min(capacity, bucket.tokens + (at - bucket.at) * perMs)
    bucket.at = at
    buckets.set(key, bucket)
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs / 1000)
    bucket.tokens--
    return 0
  }
}
