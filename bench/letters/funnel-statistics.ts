import { run } from '../child.ts'
import type { Target } from '../load.ts'
import { programFile } from '../places.ts'
import type { Probe, ProbeContext, Reading, Service } from '../probe.ts'
import type { Visited, Visiting } from '../programs/visits.ts'
import { measureLoad, warm } from '../request-load.ts'
import { inTurn } from '../rounds.ts'
import { apiOf } from '../service.ts'

const FEW = 10_000
/** Millions of visits on the other side. */
const MANY = 10
const STEPS = 4
const RATIO = 'times that of ten thousand visits'

const label = (visits: number): string => `p50, ${visits.toLocaleString('en-GB')} visits`

interface Made {
  readonly id: number
  readonly team_id: number
  readonly show_page_step: { readonly id: number }
}

/** Creates a funnel in the demo workspace of a new service. @returns it, and the key of the workspace */
const makeFunnel = async ({ start, root }: ProbeContext, data: string) => {
  const service = await start(data, { demo: true, root })
  const { api_key: key, workspace_id: workspaceId } = service.ready
  const call = apiOf(service.ready)
  const { id } = await call<Made>('POST', 'funnels', { funnel: { name: 'Visited' } })
  const steps: Visiting['steps'][number][] = []
  for (let n = 0; n < STEPS; n++) {
    const page = await call<Made>('POST', 'pages', { page: { name: `Step ${n}`, funnel: { funnel_id: id } } })
    steps.push({ stepId: page.show_page_step.id, pageId: page.id })
  }
  const { team_id: teamId } = await call<Made>('GET', `/workspaces/${workspaceId}`)
  await service.stop()
  const visiting: Visiting = { teamId, workspaceId: workspaceId!, funnelId: id, steps }
  return { visiting, key: key! }
}

/** Starts a service with so many visits of a funnel. */
const visited = async (context: ProbeContext, visits: number): Promise<{ service: Service; target: Target }> => {
  const data = await context.scratch('visits')
  const { visiting, key } = await makeFunnel(context, data)
  const args = [data, String(visits), JSON.stringify(visiting)]
  const { views, seconds } = await run<Visited>(programFile('visits', context.root), { args })
  context.tell(
    `${views} views appended in ${seconds.appending.toFixed(1)} s, read models built in ${seconds.building.toFixed(1)} s`,
  )
  const service = await context.start(data)
  const path = `/api/v2/funnels/${visiting.funnelId}/stats?expand[]=steps`
  const headers = { authorization: `Bearer ${key}` }
  return { service, target: { url: service.ready.origin, headers, shots: [{ method: 'GET', path }] } }
}

/** (p) Statistics of a funnel and its steps over the last thirty days, one request at a time. */
export const funnelStatistics: Probe = {
  benchmark: 'p',
  title: ({ million }) =>
    `GET /funnels/{id}/stats of ${STEPS} steps, ${FEW} and ${MANY * million} visits, 1 connection`,
  async prepare(context) {
    const { effort } = context
    const sides = [
      { visits: FEW, ...(await visited(context, FEW)) },
      { visits: MANY * effort.million, ...(await visited(context, MANY * effort.million)) },
    ]
    for (const { target } of sides) await warm(target, 1)
    return {
      async read(round) {
        const readings = await inTurn<Reading>(
          round,
          sides.map(({ visits, service, target }) => async () => {
            const { p50, cpu } = await measureLoad(service, target, 1, effort.seconds)
            return [
              { label: label(visits), unit: 'ms', value: p50 },
              { label: `CPU, ${visits.toLocaleString('en-GB')} visits`, unit: 'µs/request', value: cpu },
            ]
          }),
        )
        const [few = Number.NaN, many = Number.NaN] = sides.map(
          ({ visits }) => readings.find((reading) => reading.label === label(visits))?.value ?? Number.NaN,
        )
        return [...readings, { label: RATIO, unit: '×', value: many / few }]
      },
    }
  },
  targets: [
    {
      says: 'p50 of statistics of a funnel with ten million visits, to one with ten thousand',
      of: RATIO,
      atMost: 1.25,
    },
  ],
}
