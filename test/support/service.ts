import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Ask, instanceOf, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import { mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { readConfig, type Settings } from '../../infra/config.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { type Background, startBackground } from '../../infra/runtime/background.ts'
import { coreOptionsIn } from '../../infra/runtime/core.ts'
import { startListeners } from '../../infra/runtime/listeners.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { openStores } from '../../infra/stores/open.ts'
import { NODE_COMMAND, startNode, temporaryFolder } from '../servers/node.ts'
import { type ApiClient, apiClient } from './client.ts'
import { nextId } from './next-id.ts'
import { imageUrl } from './servers/image-server.ts'
import { nameServer } from './servers/name-server.ts'

/** A workspace that belongs to one suite, with a client for it. */
export interface Tenant {
  readonly teamId: number
  readonly workspaceId: number
  readonly token: string
  readonly api: ApiClient
  /** A client with another key of the same workspace, or of the whole team. */
  withScopes(scopes: readonly string[], reach?: 'workspace' | 'team'): Promise<ApiClient>
  /** Carries out a command that no request gives. Absent where the service runs in another process. @returns the id of its record */
  carryOut?(asked: Ask): Promise<number>
  /** Returns an id for a new child that a command creates. Absent like `carryOut`. */
  mint?(kind: { readonly name: string }): Promise<number>
}

interface TenantOptions {
  /** Makes a workspace with a test clock. */
  readonly test?: boolean
  /** Default: USD. */
  readonly currency?: string
}

export interface TestService {
  readonly url: string
  /** URL of the public listener. */
  readonly publicUrl: string
  /** URL of the listener that the browser SDK calls. */
  readonly sdkUrl: string
  /** Address of the agent server. */
  readonly agentsUrl: string
  /** Port to which reports about mails come. */
  readonly mailPort: number | undefined
  readonly background: Background
  /** Waits until the documents contain everything that was written. */
  caughtUp(): Promise<unknown>
  tenant(options?: TenantOptions): Promise<Tenant>
  client(token?: string): ApiClient
}

const started: { readonly stop: () => Promise<void> }[] = []
let shared: Promise<TestService> | undefined
let tenants = 0

/** Real servers, when the environment names them (`npm run test:servers`). The tenants' subdomains then differ from run to run. */
const { EVENTSTOREDB_URL, MONGODB_URL } = process.env
const servers: Settings = {
  ...(EVENTSTOREDB_URL && { EVENTSTOREDB_URL }),
  ...(MONGODB_URL && { MONGODB_URL }),
  MILLRACE_SECRET: 'the secret of the test run, long enough',
}
const run = EVENTSTOREDB_URL ? `${Date.now().toString(36)}x` : ''

/** Suites send more requests than one client may, and more without a token. */
const UNLIMITED: Settings = {
  MILLRACE_RATE_LIMIT: '0',
  MILLRACE_PUBLIC_RATE_LIMIT: '0',
  MILLRACE_FAILED_ATTEMPTS: '0',
}
/** Time limit for documents to catch up on servers, which are far slower than the embedded stores. */
const CATCHING_UP_MS = 60_000

const fail = (error: unknown): void => {
  throw error
}

/** URL of a new database on the same server. */
const databaseOfItsOwn = (url: string): string => {
  const at = new URL(url)
  at.pathname = `/own_${randomUUID().replaceAll('-', '')}`
  return at.href
}

/** Settings for a log and documents that no other service uses. On real servers they name a new EventStoreDB node. */
export const serversOfItsOwn = async (): Promise<Settings> => {
  if (!EVENTSTOREDB_URL) return servers
  if (!NODE_COMMAND)
    throw new Error('a service of its own needs a log of its own: EVENTSTOREDB_COMMAND says what starts one')
  const node = await startNode(temporaryFolder('own-log'))
  started.unshift({ stop: () => node.end('SIGKILL') })
  return { ...servers, EVENTSTOREDB_URL: node.url, ...(MONGODB_URL && { MONGODB_URL: databaseOfItsOwn(MONGODB_URL) }) }
}

/** Starts a service with its own log. It is stopped and removed when the test run ends. @param asSeen wraps the log for the service */
export const startTestService = async (
  settings: Settings = {},
  asSeen: (log: EventLog) => EventLog = (log) => log,
): Promise<TestService> => startOn(await serversOfItsOwn(), settings, asSeen)

const startOn = async (
  on: Settings,
  settings: Settings = {},
  asSeen: (log: EventLog) => EventLog = (log) => log,
): Promise<TestService> => {
  const data = await mkdtemp(path.join(tmpdir(), 'millrace-test-'))
  const own = {
    MILLRACE_DATA: data,
    MILLRACE_DNS: await nameServer(),
    MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com',
    MILLRACE_PORT: '0',
    MILLRACE_PUBLIC_PORT: '0',
    MILLRACE_SDK_PORT: '0',
    MILLRACE_MCP_PORT: '0',
    MILLRACE_MAIL_WARM_UP: 'no',
    ...UNLIMITED,
  }
  const config = readConfig({ ...on, ...own, ...settings })
  const logger = createLogger(process.env.TEST_LOG_LEVEL ?? 'fatal')
  const opened = await openStores(config)
  const stores = { ...opened, log: asSeen(opened.log) }
  const outbound = outboundClient({ allowPrivate: config.allowPrivateTargets })
  outbound.exempt(new URL(await imageUrl()).origin)
  const background = await startBackground(stores, logger, fail, config.roles, outbound, coreOptionsIn(config))
  await background.readable()
  const listener = await startListeners(background, config, logger)
  started.unshift({
    async stop() {
      await listener.stop()
      await background.stop()
      await rm(data, { recursive: true, force: true })
    },
  })
  const caughtUp = async () => background.reached(await stores.log.lastPosition(), CATCHING_UP_MS)
  const client = (token?: string) => apiClient(listener.url, token, caughtUp)
  return {
    url: listener.url,
    publicUrl: listener.publicUrl!,
    sdkUrl: listener.sdkUrl!,
    agentsUrl: listener.agentsUrl!,
    mailPort: listener.mailPort,
    background,
    caughtUp,
    client,
    tenant: (options) => makeTenant(background, client, options),
  }
}

/** Waits for the policies that furnish a new workspace: they run after the answer that it was created. */
const until = async (isDone: () => Promise<boolean>): Promise<void> => {
  for (const started = Date.now(); !(await isDone()); await new Promise((go) => setTimeout(go, 5))) {
    if (Date.now() - started > 100_000) throw new Error('the new workspace is not furnished')
  }
}

/** Returns a function that carries out commands in a workspace, and waits until their results can be read. */
export const carryingOut =
  ({ core: { engine, ids }, reached }: Background, place: Pick<Tenant, 'teamId' | 'workspaceId'>) =>
  async (asked: Ask): Promise<number> => {
    const { id, isNew } = await withIds(ids, () => instanceOf(asked, mintFrom(ids)))
    const stamp = { at: new Date().toISOString(), actor: { label: 'test' } }
    const causes = { causationId: 'test', correlationId: 'test' }
    const result = await engine.transact({ ...stampCommand(asked, stamp, id), ...place, ...causes, isNew })
    if (result instanceof Refusal) throw result
    await reached(result.position, CATCHING_UP_MS)
    return id
  }

const makeTenant = async (
  background: Background,
  client: (token?: string) => ApiClient,
  { test = false, currency = 'USD' }: TenantOptions = {},
): Promise<Tenant> => {
  const { accounts, stores } = background
  const name = `tenant-${run}${++tenants}`
  const teamId = await accounts.foundTeam({
    name,
    owner: { email: `${name}@example.com`, firstName: 'Olive', lastName: 'Owner' },
  })
  const workspaceId = await accounts.openWorkspace(teamId, { name, subdomain: name, currency, test })
  await until(async () => typeof (await stores.readModels.live.get('site', workspaceId))?.theme_id === 'number')
  const issue = async (scopes: readonly string[], reach: 'workspace' | 'team' = 'workspace') =>
    accounts.issueKey({ teamId, workspaceId: reach === 'team' ? null : workspaceId, scopes, label: 'test' })
  const { token } = await issue(['read', 'write'])
  return {
    teamId,
    workspaceId,
    token,
    api: client(token),
    withScopes: async (scopes, reach) => client((await issue(scopes, reach)).token),
    carryOut: carryingOut(background, { teamId, workspaceId }),
    mint: (kind) => nextId(background.core.ids, kind),
  }
}

/** The service that all API suites share. Each uses its own workspace. */
export const testService = (): Promise<TestService> => (shared ??= startOn(servers))

/** Root hooks of the test run. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    for (const { stop } of started) await stop()
  },
}
