import { cpuOf } from './cpu.ts'
import { fire, type Target } from './load.ts'
import { quantile } from './statistics.ts'

const WARM_CONNECTIONS = 64
const WARM_REQUESTS = 20_000
const WARM_SECONDS = 1
const MOST_WARMING = 10

/**
 * Warms up until V8 has optimised the code: the first thousand requests cost three times as much as later ones. Requests in flight at
 * the end are still processed afterwards, so long requests need few connections.
 */
export const warm = async (target: Target, connections = WARM_CONNECTIONS): Promise<void> => {
  let answered = 0
  for (let times = 0; answered < WARM_REQUESTS && times < MOST_WARMING; times++) {
    answered += (await fire(target, connections, WARM_SECONDS)).latencies.length
  }
}

/** Result of one load. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU time of all threads for a request, in µs. */
  readonly cpu: number | undefined
}

/** Keeps a number of requests in flight to a process, and measures its CPU time. */
export const measureLoad = async (
  { pid }: { readonly pid: number },
  target: Target,
  connections: number,
  seconds: number,
  options: Parameters<typeof fire>[3] = {},
): Promise<LoadResult> => {
  const { value, cpu } = await cpuOf(pid, () => fire(target, connections, seconds, options))
  const { perSecond, latencies } = value
  return {
    perSecond,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: cpu === undefined ? undefined : cpu / latencies.length,
  }
}
