import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { furnishDemo } from '../../../infra/operator/demo-shop.ts'
import { startOwnLog } from '../../servers/own-log.ts'
import { freePort } from '../../support/free-port.ts'
import { hostMillrace, millrace, type Ran, type Ready, type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { javaServer } from '../../support/servers/mongo-servers.ts'
import { openWorkspace, settingsOn } from '../../support/servers/on-servers.ts'
import { startBalancer } from './balancer.ts'

/** A service with the demo's funnel. */
export interface DemoService {
  readonly ready: Ready
  /** Each process that answers, by its own address. */
  readonly processes: readonly Pick<Ready, 'origin' | 'pages'>[]
  /** Runs the command line on it. */
  run(args: readonly string[]): Promise<Ran>
  stop(): Promise<void>
}

/** A way to run the service. */
export interface Installation {
  readonly name: string
  /** The reason why it cannot run on this machine. */
  readonly missing?: string | undefined
  start(): Promise<DemoService>
}

const temporary = () => mkdtemp(path.join(tmpdir(), 'millrace-funnel-'))

/** One process with the embedded stores, which makes the demo itself. */
const inOneProcess = async (): Promise<DemoService> => {
  const data = await temporary()
  // Pages are registered at their addresses, so the port has to be known before the start.
  const service = await hostMillrace(data, { MILLRACE_DEMO: '1', MILLRACE_PUBLIC_PORT: String(await freePort()) })
  return {
    ready: service.ready,
    processes: [service.ready],
    run: (args) => millrace([...args, '--data', data]),
    async stop() {
      await service.stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Addresses of this machine under which processes have the same ports, as they have on machines of their own. */
const HOSTS = ['127.0.0.2', '127.0.0.3'] as const

/** Two processes behind a balancer answer requests, one projects, and one runs the workers, all on servers over the network. */
const inDividedRoles = async (): Promise<DemoService> => {
  const data = await temporary()
  const log = await startOwnLog('funnel-log')
  const [apiPort, publicPort, sdkPort] = [await freePort(), await freePort(), await freePort()]
  const settings = {
    ...settingsOn(log.url, await javaServer.url(), `funnel-${randomUUID().slice(0, 8)}`),
    ...{ MILLRACE_PUBLIC_PORT: String(publicPort), MILLRACE_SDK_PORT: String(sdkPort) },
    ...{ MILLRACE_PUBLIC_URL: `http://localhost:${publicPort}`, MILLRACE_SDK_URL: `http://localhost:${sdkPort}` },
  }
  const start = (roles: string, more: object = {}): Promise<Spawned> =>
    spawnMillrace(data, { ...settings, ...more, MILLRACE_ROLES: roles })
  const [projector, worker, ...apis] = await Promise.all([
    start('projector'),
    start('worker'),
    ...HOSTS.map((host) => start('api', { MILLRACE_HOST: host })),
  ])
  const at = (port: number) => HOSTS.map((host) => `http://${host}:${port}`)
  const balancers = await Promise.all([
    startBalancer(
      apiPort,
      apis.map(({ ready }) => ready.origin),
    ),
    startBalancer(publicPort, at(publicPort)),
    startBalancer(sdkPort, at(sdkPort)),
  ])
  const { workspaceId, token } = await openWorkspace('Demo', settings)
  const origin = `http://127.0.0.1:${apiPort}`
  await furnishDemo({
    api: `${origin}/api/v2`,
    workspaceId,
    apiKey: token,
    requestId: randomUUID(),
    sharesSender: true,
  })
  const [pages, sdk] = [settings.MILLRACE_PUBLIC_URL, settings.MILLRACE_SDK_URL]
  return {
    ready: {
      ...{ origin, workspace_id: workspaceId, api_key: token, sign_in: null, pages, sdk },
      mcp: apis[0]!.ready.mcp,
    },
    processes: apis.map(({ ready }, number) => ({ origin: ready.origin, pages: at(publicPort)[number] ?? '' })),
    run: (args) => millrace(args, settings),
    async stop() {
      await Promise.all(balancers.map((balancer) => balancer.stop()))
      await Promise.all([projector, worker, ...apis].map((spawned) => spawned.stop()))
      await log.stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}

export const INSTALLATIONS: readonly Installation[] = [
  { name: 'in one process', start: inOneProcess },
  { name: 'in divided roles on EventStoreDB and MongoDB', missing: javaServer.missing, start: inDividedRoles },
]
