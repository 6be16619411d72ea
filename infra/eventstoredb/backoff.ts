export interface Backoff {
  /** Pause after the first failure, in milliseconds; doubles from one to the next. */
  readonly firstMs: number
  readonly mostMs: number
}

/**
 * Milliseconds to wait after the nth failure in a row (from 0): half of it fixed, half random, so that many do not come
 * back at once.
 */
export function pauseAfter(failures: number, { firstMs, mostMs }: Backoff): number {
  const most = Math.min(firstMs * 2 ** failures, mostMs)
  return most / 2 + (Math.random() * most) / 2
}

/** Resolves after some milliseconds (which may be infinite), or at once when the signal is given. */
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
