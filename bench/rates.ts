import type { Running } from './child.ts'
import type { Target } from './load.ts'
import type { Prepared, ProbeContext, Reading, Service } from './probe.ts'
import { type LoadResult, measureLoad, warm } from './request-load.ts'
import { inTurn } from './rounds.ts'
import { bareTargets } from './targets.ts'

/** Requests of one kind, with a fixed number in flight. */
export interface Load {
  readonly label: string
  readonly connections: number
  readonly target: Target
  /** The method that the bare server is measured with for comparison. */
  readonly beside: 'GET' | 'POST'
}

interface Contender {
  readonly process: Running<unknown>
  readonly target: Target
  readonly connections: number
}

/** Label of a load's rate as a share of the bare server's. */
export const shareLabel = (label: string): string => `${label}, share of bare`

const bareLabel = ({ beside, connections }: Load): string => `bare, ${beside}, ${connections} at a time`

const bareBeside = async (
  context: ProbeContext,
  loads: readonly Load[],
): Promise<readonly (readonly [string, Contender])[]> => {
  const bare = await context.bare?.()
  if (!bare) return []
  const targets = bareTargets(bare.ready.api)
  return loads.map((load) => [
    bareLabel(load),
    { process: bare, target: targets[load.beside], connections: load.connections },
  ])
}

const readingsOf = (label: string, { perSecond, p50, cpu }: LoadResult): readonly Reading[] => [
  { label, unit: 'requests/s', value: perSecond },
  { label: `${label}, CPU`, unit: 'µs/request', value: cpu },
  { label: `${label}, p50`, unit: 'ms', value: p50 },
]

/** Measures rates and CPU time of loads on a service, and of the bare server when there is one. Every other round has the opposite order. */
export const ratesOf = async (context: ProbeContext, service: Service, loads: readonly Load[]): Promise<Prepared> => {
  const ours = loads.map(
    ({ label, target, connections }) => [label, { process: service, target, connections }] as const,
  )
  const contenders = new Map<string, Contender>([...(await bareBeside(context, loads)), ...ours])
  const warmed = new Set<Target>()
  for (const { target } of contenders.values()) {
    if (!warmed.has(target)) await warm(target)
    warmed.add(target)
  }
  return {
    async read(round) {
      const steps = [...contenders].map(([label, { process, target, connections }]) => async () => {
        const shelled = await measureLoad(process, target, connections, context.effort.seconds)
        return [[label, shelled]] as const
      })
      const found = new Map(await inTurn(round, steps))
      const rates = [...found].flatMap(([label, shelled]) => readingsOf(label, shelled))
      const shares = loads.map((load) => {
        const bare = found.get(bareLabel(load))
        const value = bare && (found.get(load.label)!.perSecond / bare.perSecond) * 100
        return { label: shareLabel(load.label), unit: '%', value }
      })
      return [...rates, ...shares]
    },
  }
}
