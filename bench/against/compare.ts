import { cpuIsKnown, cpuOf, NO_CPU } from '../cpu.ts'
import { fire, type Target } from '../load.ts'
import { interleave, ratios } from '../rounds.ts'
import { median } from '../statistics.ts'
import type { Comparison } from './report.ts'
import type { Service, SideName } from './sides.ts'

const WARM_CONNECTIONS = 64
const WARM_REQUESTS = 20_000
const WARM_SECONDS = 1
const MOST_WARMING = 10

/** One value of one round of one side; `undefined` where it cannot be had. */
export interface Reading {
  readonly label: string
  readonly unit: string
  readonly value: number | undefined
}

/** What one volley found. */
export interface Shelled {
  readonly perSecond: number
  readonly p50: number
  /** µs of all threads of the service for a request. */
  readonly cpu: number | undefined
}

/** Until V8 has seen enough of the code: the first thousand requests cost three times as much as any later ones. */
export const warm = async (target: Target): Promise<void> => {
  let answered = 0
  for (let times = 0; answered < WARM_REQUESTS && times < MOST_WARMING; times++) {
    answered += (await fire(target, WARM_CONNECTIONS, WARM_SECONDS)).latencies.length
  }
}

/** Keeps so many requests in flight at a service, and takes its CPU time. */
export const shell = async (
  { pid }: Service,
  target: Target,
  connections: number,
  seconds: number,
): Promise<Shelled> => {
  const { value, cpu } = await cpuOf(pid, () => fire(target, connections, seconds))
  const { perSecond, latencies } = value
  return { perSecond, p50: median(latencies), cpu: cpu === undefined ? undefined : cpu / latencies.length }
}

/** @returns a row for each reading that both sides have in every round */
export const rowsOf = (values: Readonly<Record<SideName, readonly (readonly Reading[])[]>>): Comparison[] =>
  (values.ours[0] ?? []).flatMap(({ label, unit }, at) => {
    const of = (side: SideName) => values[side].flatMap((readings) => readings[at]?.value ?? [])
    const [ours, theirs] = [of('ours'), of('theirs')]
    if (ours.length < values.ours.length || theirs.length < values.theirs.length) return []
    return [{ label, unit, ours, theirs, ratios: ratios(ours, theirs) }]
  })

/** Takes the readings of both sides in every round, in turn. */
export const compare = async (
  rounds: number,
  read: (side: SideName) => Promise<readonly Reading[]>,
  options: { readonly warmUp?: boolean } = {},
): Promise<Comparison[]> =>
  rowsOf(await interleave(rounds, { ours: () => read('ours'), theirs: () => read('theirs') }, options))

/** What readers must be told of a comparison that has CPU among its readings. */
export const cpuNotes: readonly string[] = cpuIsKnown ? [] : [NO_CPU]
