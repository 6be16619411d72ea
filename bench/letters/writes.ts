import type { Probe } from '../probe.ts'
import { ratesOf, shareLabel } from '../rates.ts'
import { postsTo } from '../targets.ts'

const MANY = 64
const TOGETHER = `POST contacts, ${MANY} at a time`
const LONE = 'POST contacts, a lone one'

/** (a) The cost of a write, compared with one that is only put on disk. */
export const writes: Probe = {
  benchmark: 'a',
  title: () => `POST contacts, ${MANY} connections, and a lone one`,
  async prepare(context) {
    const service = await context.start(await context.scratch('writes'), { demo: true })
    const { origin, workspace_id, api_key } = service.ready
    const target = postsTo(origin, { workspaceId: workspace_id!, token: api_key! })
    return ratesOf(context, service, [
      { label: TOGETHER, connections: MANY, target, beside: 'POST' },
      { label: LONE, connections: 1, target, beside: 'POST' },
    ])
  },
  targets: [
    { says: `create, ${MANY} connections, share of bare's rate`, of: shareLabel(TOGETHER), atLeast: 30, goal: 45 },
    { says: "create, 1 connection, share of bare's rate", of: shareLabel(LONE), atLeast: 80, goal: 110 },
  ],
}
