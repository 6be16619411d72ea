import path from 'node:path'
import { startNode, temporaryFolder } from '../../test/servers/node.ts'
import { javaServer } from '../../test/support/servers/mongo-servers.ts'
import { openWorkspace, settingsOn } from '../../test/support/servers/on-servers.ts'
import { cpuOf } from '../cpu.ts'
import { fire } from '../load.ts'
import { startService } from '../service.ts'
import { quantile } from '../statistics.ts'
import { postsTo } from '../targets.ts'

const MANY = 64
const WARM_UP_SECONDS = 3

export interface Creates {
  readonly connections: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the process that gets the requests. */
  readonly cpuUsEach: number | undefined
}

type Service = Awaited<ReturnType<typeof startService>>
type Key = { readonly workspaceId: number; readonly token: string }

const fireAt = async ({ pid, ready }: Service, key: Key, seconds: number): Promise<Creates[]> => {
  const target = postsTo(ready.origin, key)
  const found: Creates[] = []
  await fire(target, MANY, WARM_UP_SECONDS)
  for (const connections of [1, MANY]) {
    const { value, cpu } = await cpuOf(pid, () => fire(target, connections, seconds))
    const { perSecond, latencies } = value
    found.push({
      connections,
      perSecond,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      cpuUsEach: cpu === undefined ? undefined : cpu / latencies.length,
    })
  }
  return found
}

/** Measures contacts created by one process with embedded read models, on a new EventStoreDB. */
export const alone = async (seconds: number, root?: string): Promise<readonly Creates[]> => {
  const node = await startNode(temporaryFolder('bench-log'))
  const data = path.join(temporaryFolder('bench'), 'data')
  const service = await startService(data, { demo: true, ...(root && { root }), env: { EVENTSTOREDB_URL: node.url } })
  try {
    const { workspace_id, api_key } = service.ready
    return await fireAt(service, { workspaceId: workspace_id!, token: api_key! }, seconds)
  } finally {
    await service.stop()
    await node.end()
  }
}

/** Measures the same with divided roles: two `api` processes, one of which gets the requests, a `projector` and a `worker`, with mongo-java-server. */
export const divided = async (seconds: number, root?: string): Promise<readonly Creates[]> => {
  const node = await startNode(temporaryFolder('bench-log'))
  const settings = settingsOn(node.url, await javaServer.url(), `bench${Date.now()}`)
  const begun: Service[] = []
  try {
    for (const role of ['projector', 'worker', 'api', 'api']) {
      const data = path.join(temporaryFolder('bench'), 'data')
      begun.push(await startService(data, { ...(root && { root }), env: { ...settings, MILLRACE_ROLES: role } }))
    }
    return await fireAt(begun.at(-1)!, await openWorkspace('Bench', settings), seconds)
  } finally {
    await Promise.all(begun.map((service) => service.stop()))
    await node.end()
  }
}
