import type { Running } from './child.ts'
import type { Target } from './load.ts'
import type { Bare, Prepared, ProbeContext, Reading, Service } from './probe.ts'
import { type LoadResult, measureLoad, warm } from './request-load.ts'
import { inTurn } from './rounds.ts'
import { bareTargets } from './targets.ts'

/** Requests of one kind, with a fixed number in flight. */
export interface Load {
  readonly label: string
  readonly connections: number
  readonly target: Target
  /** Name of the bare server's target that is measured for comparison: a method of the usual one. */
  readonly beside: string
}

/** A server to compare with, and what is asked of it, by name. */
export interface Beside {
  readonly process: Bare
  readonly targets: Readonly<Record<string, Target>>
}

interface Contender {
  readonly process: Running<unknown>
  readonly target: Target
  readonly connections: number
}

/** Label of a load's rate as a share of the bare server's. */
export const shareLabel = (label: string): string => `${label}, share of bare`

const bareLabel = ({ beside, connections }: Load): string => `bare, ${beside}, ${connections} at a time`

/** Starts the usual bare server, where one is compared with. */
const usualBare = async ({ bare }: ProbeContext): Promise<Beside | undefined> => {
  const process = await bare?.()
  return process && { process, targets: bareTargets(process.ready.api) }
}

const contendersOf = (
  { process, targets }: Beside,
  loads: readonly Load[],
): readonly (readonly [string, Contender])[] =>
  loads.map((load) => {
    const target = targets[load.beside]
    if (!target) throw new Error(`the bare server has nothing beside ${load.label}`)
    return [bareLabel(load), { process, target, connections: load.connections }]
  })

const readingsOf = (label: string, { perSecond, p50, cpu }: LoadResult): readonly Reading[] => [
  { label, unit: 'requests/s', value: perSecond },
  { label: `${label}, CPU`, unit: 'µs/request', value: cpu },
  { label: `${label}, p50`, unit: 'ms', value: p50 },
]

/** Shares of the bare server: of its rate, and of the requests that it answers in the same CPU time, which a busy machine changes less. */
const sharesOf = (label: string, ours: LoadResult, bare: LoadResult | undefined): readonly Reading[] => {
  const [own, other] = [ours.cpu, bare?.cpu]
  return [
    { label: shareLabel(label), unit: '%', value: bare && (ours.perSecond / bare.perSecond) * 100 },
    { label: `${shareLabel(label)} by CPU`, unit: '%', value: own && other && (other / own) * 100 },
  ]
}

/** Measures rates and CPU time of loads on a service, and of the bare server when there is one. Every other round has the opposite order. */
export const ratesOf = async (
  context: ProbeContext,
  service: Service,
  loads: readonly Load[],
  bare: (context: ProbeContext) => Promise<Beside | undefined> = usualBare,
): Promise<Prepared> => {
  const ours = loads.map(
    ({ label, target, connections }) => [label, { process: service, target, connections }] as const,
  )
  const beside = await bare(context)
  const contenders = new Map<string, Contender>([...(beside ? contendersOf(beside, loads) : []), ...ours])
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
      const shares = loads.flatMap((load) => sharesOf(load.label, found.get(load.label)!, found.get(bareLabel(load))))
      return [...rates, ...shares]
    },
  }
}
