import { fire, type Target } from './load.ts'
import { quantile } from './statistics.ts'

/** Durations of requests in milliseconds. */
export interface Times {
  readonly p50: number
  readonly p99: number
  readonly slowest: number
}

export const timesOf = (latencies: readonly number[]): Times => ({
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  slowest: quantile(latencies, 1),
})

/** Keeps requests in flight until other work ends. Returns their durations and the result of the work. */
export const whileRunning = async <T>(
  target: Target,
  connections: number,
  seconds: number,
  other: Promise<T>,
): Promise<{ readonly latencies: readonly number[]; readonly other: T }> => {
  let isOver = false
  const ending = other.finally(() => {
    isOver = true
  })
  // An error is thrown where the work is awaited below.
  ending.catch(() => undefined)
  const latencies: number[] = []
  while (!isOver) for (const latency of (await fire(target, connections, seconds)).latencies) latencies.push(latency)
  return { latencies, other: await ending }
}
