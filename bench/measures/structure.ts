import { fire, type Target } from '../load.ts'
import type { Finding } from '../report.ts'
import { interleave } from '../rounds.ts'
import { type ServiceReady, startService } from '../service.ts'
import { median } from '../statistics.ts'
import type { Setting } from './setting.ts'

const STEPS = 500
const DEPTH = 10

export const TITLE = `GET /funnels/{id}/structure, ${STEPS} steps, splits ${DEPTH} deep`

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

/** A funnel in which splits stand in the branches of splits, filled up with steps to the number that is wanted. */
const build = async (call: Call, workspace: number): Promise<number> => {
  const { id } = await call('POST', `/workspaces/${workspace}/funnels`, { funnel: { name: 'Large' } })
  const pages = `/workspaces/${workspace}/pages`
  const page = (funnel?: object) =>
    call('POST', pages, { page: { name: 'A page of a funnel', ...(funnel && { funnel }) } })
  let anchor = (await page({ funnel_id: id })).show_page_step.id
  const anchors = [anchor]
  for (let depth = 0; depth < DEPTH; depth++) {
    const branches = [{ page_id: (await page()).id }, { page_id: (await page()).id }]
    const wish = { show_page_step_id: anchor, branches }
    const split = await call('POST', `/funnels/${id}/conditional_split_steps`, { conditional_split_step: wish })
    anchors.push(...split.branches.map(({ show_page_step }) => show_page_step.id))
    anchor = split.branches[0]!.show_page_step.id
  }
  for (let count = anchors.length; count < STEPS; count++) {
    await page({ funnel_id: id, after_show_page_step_id: anchors[count % anchors.length] })
  }
  return id
}

/** Builds a large funnel in the demo workspace of a service; gives what reads its structure. */
export const structureOf = async (
  { origin: api, api_key: key, workspace_id: workspace }: ServiceReady,
  tell: Setting['tell'],
): Promise<Target> => {
  tell(`building a funnel of ${STEPS} steps with splits ${DEPTH} deep`)
  const funnel = await build(callWith(api, key!), workspace!)
  const shots = [{ method: 'GET', path: `/api/v2/funnels/${funnel}/structure` }] as const
  return { url: api, headers: { authorization: `Bearer ${key}` }, shots }
}

/** (g) The structure of a large funnel, one request after the other. */
export const structure = async ({ effort, scratch, profile, tell }: Setting): Promise<Finding> => {
  const service = await startService(await scratch('structure'), { profile, demo: true })
  try {
    const target = await structureOf(service.ready, tell)
    const values = await interleave(effort.rounds, {
      structure: async () => median((await fire(target, 1, effort.seconds)).latencies),
    })
    return {
      benchmark: 'g',
      title: TITLE,
      figures: [{ label: 'p50', unit: 'ms', values: values.structure }],
      targets: [{ says: 'p50', value: median(values.structure), unit: 'ms', atMost: 10 }],
    }
  } finally {
    await service.stop()
  }
}
