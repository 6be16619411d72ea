import type { Target } from '../load.ts'
import type { Probe, ProbeContext } from '../probe.ts'
import { measureLoad, warm } from '../request-load.ts'
import type { ServiceReady } from '../service.ts'

const STEPS = 500
const DEPTH = 10

type Call = (method: string, path: string, body: object) => Promise<Built>

interface Built {
  readonly id: number
  readonly show_page_step: { readonly id: number }
  readonly branches: readonly { readonly show_page_step: { readonly id: number } }[]
}

const callWith =
  (api: string, key: string): Call =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${api}/api/v2${path}`, { method, headers, body: JSON.stringify(body) })
    const answer = (await response.json()) as Built
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }

/** Creates a funnel with nested splits, filled up with steps to a fixed number. @returns its id */
const build = async (call: Call, workspace: number): Promise<number> => {
  const { id } = await call('POST', `/workspaces/${workspace}/funnels`, { funnel: { name: 'Large' } })
  const pages = `/workspaces/${workspace}/pages`
  const page = (funnel?: object) =>
    call('POST', pages, { page: { name: 'A page of a funnel', ...(funnel && { funnel }) } })
  let anchor = (await page({ funnel_id: id })).show_page_step.id
  const anchors = [anchor]
  for (let depth = 0; depth < DEPTH; depth++) {
    const branches = [{ page_id: (await page()).id }, { page_id: (await page()).id }]
    const fields = { show_page_step_id: anchor, branches }
    const split = await call('POST', `/funnels/${id}/conditional_split_steps`, { conditional_split_step: fields })
    anchors.push(...split.branches.map(({ show_page_step }) => show_page_step.id))
    anchor = split.branches[0]!.show_page_step.id
  }
  for (let count = anchors.length; count < STEPS; count++) {
    await page({ funnel_id: id, after_show_page_step_id: anchors[count % anchors.length] })
  }
  return id
}

/** Creates a large funnel in the demo workspace of a service. @returns the target that reads its structure */
const structureOf = async (
  { origin: api, api_key: key, workspace_id: workspace }: ServiceReady,
  tell: ProbeContext['tell'],
): Promise<Target> => {
  tell(`building a funnel of ${STEPS} steps with splits ${DEPTH} deep`)
  const funnel = await build(callWith(api, key!), workspace!)
  const shots = [{ method: 'GET', path: `/api/v2/funnels/${funnel}/structure` }] as const
  return { url: api, headers: { authorization: `Bearer ${key}` }, shots }
}

/** (g) Reading the structure of a large funnel, one request at a time. */
export const structure: Probe = {
  benchmark: 'g',
  title: () => `GET /funnels/{id}/structure, ${STEPS} steps, splits ${DEPTH} deep`,
  async prepare({ effort, start, scratch, tell }) {
    const service = await start(await scratch('structure'), { demo: true })
    const target = await structureOf(service.ready, tell)
    await warm(target, 1)
    return {
      async read() {
        const { p50, cpu } = await measureLoad(service, target, 1, effort.seconds)
        return [
          { label: 'p50', unit: 'ms', value: p50 },
          { label: 'CPU', unit: 'µs/request', value: cpu },
        ]
      },
    }
  },
  targets: [{ says: `p50 of the structure of ${STEPS} steps`, of: 'p50', atMost: 10 }],
}
