import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../reliability/ledger.ts'
import { type ServiceProcess, startServiceProcess } from '../reliability/service-process.ts'
import { type OwnServer, startFerretdb } from '../support/servers/mongo-servers.ts'
import { openWorkspace, settingsOn } from '../support/servers/on-servers.ts'
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts'
import { type EventStoreNode, startNode, temporaryFolder } from './node.ts'

export const ROLES = ['api', 'projector', 'worker'] as const
export type Role = (typeof ROLES)[number]
export const STORES = ['log', 'documents'] as const
export type Store = (typeof STORES)[number]

/** One process of the service, with its own proxy to each store. */
export interface Member {
  readonly role: Role
  readonly ways: Readonly<Record<Store, FaultProxy>>
  readonly life: ServiceProcess
  signal(signal: NodeJS.Signals): void
  /** Kills it and starts another in its place, as a process supervisor does. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The service in divided roles, on a new EventStoreDB and a new server of MongoDB's protocol. */
export interface Processes {
  readonly node: EventStoreNode
  readonly documents: OwnServer
  /** The first process of each role. */
  readonly members: Readonly<Record<Role, Member>>
  /** Processes that ended unexpectedly, with their last output. */
  readonly gone: readonly string[]
  /** Settings without proxies, for the command line. */
  readonly settings: Readonly<Record<string, string>>
  /** Current address of the API, with a key of the workspace. */
  readonly target: Target
  /** Starts another process of a role. */
  join(role: Role): Promise<Member>
  /** Kills the document store and starts it again on its data. */
  killDocuments(): Promise<void>
  /** Stops the processes in order; the stores keep running. */
  rest(): Promise<void>
  stop(): Promise<void>
}

const DATABASE = 'faults'

const portOf = (url: string): number => Number(new URL(url).port)
const settingsAt = (logPort: number, documentsPort: number) =>
  settingsOn(`esdb://127.0.0.1:${logPort}?tls=false`, `mongodb://127.0.0.1:${documentsPort}`, DATABASE)

/** Starts a process of a role with its proxies to the stores. Unexpected ends are added to `gone`. */
const startMember = async (role: Role, data: string, proxies: Member['ways'], gone: string[]): Promise<Member> => {
  let stopping = false
  const start = async (): Promise<ServiceProcess> => {
    const started = await startServiceProcess(data, {
      settings: {
        ...settingsAt(proxies.log.port, proxies.documents.port),
        MILLRACE_ROLES: role,
        MILLRACE_ALLOW_PRIVATE_TARGETS: '1',
      },
    })
    stopping = false
    started.child.once('exit', (code, signal) => {
      if (!stopping) gone.push(`${role} ended by ${signal ?? `exit code ${code}`}: ${started.said().slice(-2000)}`)
    })
    return started
  }
  let current = await start()
  const end = async (signal: NodeJS.Signals) => {
    stopping = true
    await current.stop(signal)
  }
  return {
    role,
    ways: proxies,
    get life() {
      return current
    },
    signal: (signal) => void current.child.kill(signal),
    async kill() {
      await end('SIGKILL')
      current = await start()
    },
    async stop() {
      await end('SIGTERM')
      await Promise.all(STORES.map((store) => proxies[store].close()))
    },
  }
}

export const startProcesses = async (): Promise<Processes> => {
  const data = temporaryFolder('data')
  const folder = temporaryFolder('documents')
  const node = await startNode(temporaryFolder('log'))
  let documents = await startFerretdb(folder)
  const gone: string[] = []
  const all: Member[] = []

  const join = async (role: Role): Promise<Member> => {
    const proxies = { log: await openFaultProxy(node.port), documents: await openFaultProxy(portOf(documents.url)) }
    const member = await startMember(role, data, proxies, gone)
    all.push(member)
    return member
  }

  const projector = await join('projector')
  const [worker, api] = await Promise.all([join('worker'), join('api')])
  const key = await openWorkspace('Faults', settingsAt(node.port, portOf(documents.url)))
  const rest = async () => {
    await Promise.all(all.splice(0).map((member) => member.stop()))
  }
  return {
    node,
    get documents() {
      return documents
    },
    members: { api, projector, worker },
    gone,
    get settings() {
      return settingsAt(node.port, portOf(documents.url))
    },
    target: {
      ...key,
      get url() {
        return api.life.url
      },
    },
    join,
    async killDocuments() {
      await documents.kill()
      documents = await startFerretdb(folder)
      for (const member of all) member.ways.documents.leadTo(portOf(documents.url))
    },
    rest,
    async stop() {
      await Promise.race([rest(), sleep(20_000)])
      await documents.stop()
      await node.end('SIGKILL')
    },
  }
}
