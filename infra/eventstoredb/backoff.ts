export interface Backoff {
  /** Pause after the first failure, in milliseconds; doubles with each further failure. */
  readonly firstMs: number
  readonly mostMs: number
}

/**
 * Returns the milliseconds to wait after the nth failure in a row (from 0). Half is fixed and half random, so that many callers do not retry at
 * the same moment.
 */
export function pauseAfter(failures: number, { firstMs, mostMs }: Backoff): number {
  const most = Math.min(firstMs * 2 ** failures, mostMs)
  return most / 2 + (Math.random() * most) / 2
}

/** Resolves after some milliseconds (which may be infinite), or as soon as the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', settle)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(settle, ms) : undefined
    signal?.addEventListener('abort', settle)
  })
}
