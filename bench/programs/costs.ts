import { randomBytes } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Koa from 'koa'
import { Registry } from 'prom-client'
import { createApi } from '../../api/app.ts'
import { authenticator } from '../../api/handlers/authenticate.ts'
import { findRoute } from '../../api/handlers/operate.ts'
import type { ApiContext } from '../../api/http/context.ts'
import { failedAttempts } from '../../api/http/failed-attempts.ts'
import { requestMetrics } from '../../api/http/observe.ts'
import { rateLimit } from '../../api/http/rate-limit.ts'
import { routesOf } from '../../api/routes.ts'
import { hashToken } from '../../api/token-hash.ts'
import {
  connecting,
  connections,
  issuing,
  platformToken,
  TOKEN_PREFIXES,
} from '../../domain/account/platform/public.ts'
import type { Ask } from '../../domain/kernel/decide/ask.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { ROLES, readConfig } from '../../infra/config.ts'
import { carryOut } from '../../infra/operator/carry-out.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { startBackground } from '../../infra/runtime/background.ts'
import { SCRIPTS } from '../../infra/runtime/listening.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { openStores } from '../../infra/stores/open.ts'
import { inTurn } from '../rounds.ts'
import { median } from '../statistics.ts'
import { BY_PLATFORM_TOKEN, type Cost } from './cost.ts'

const nothing = async () => 'cannot be fetched here'

/**
 * Measures the cost of each part of a GET. It adds the API's middleware and checks one by one, in their order, and sends requests without
 * sockets. Takes a data directory, a token, and ids of contacts; prints a list of `Cost`. The log goes to standard error.
 */
const [, , directory, token, ids] = process.argv
const RATE_LIMIT = 1_000_000_000
const TOGETHER = 16
/** High enough that each measurement includes its share of garbage collection. */
const BATCHES = 400
const WARMING = 2
const ROUNDS = 9

const paths = (JSON.parse(ids!) as readonly number[]).map((id) => `/api/v2/contacts/${id}`)
const config = readConfig({ MILLRACE_DATA: directory })
const background = await startBackground(
  await openStores(config),
  createLogger('error'),
  (error) => {
    throw error
  },
  ROLES,
  outboundClient({ allowPrivate: false }),
  { answersBytes: config.answersBytes },
)

/** The middleware of the API as the service builds it, with this log level. */
const apiWith = (level: string, registry = new Registry()): readonly Koa.Middleware[] => {
  const { core, stores, outbound } = background
  const service = {
    ...core,
    ...stores,
    live: stores.readModels.live,
    progress: background,
    outbound,
    accountsUrl: 'http://localhost:4000',
    agentsUrl: 'http://localhost:4003/mcp',
    userMail: undefined,
    external: {
      images: { take: nothing },
      files: { take: nothing },
      hosts: { isOwn: () => false, texts: async () => [] },
      mail: {
        dns: { texts: async () => [], aliases: async () => [] },
        newKeyPair: async () => ({ privateKey: '', publicKey: '' }),
      },
    },
  }
  return createApi(
    { ...service, logger: createLogger(level) },
    {
      health: { notReady: () => undefined },
      registry,
      metrics: requestMetrics(registry),
      rateLimitPerMinute: RATE_LIMIT,
      bodyLimitBytes: 1_048_576,
      failedAttemptsPerMinute: RATE_LIMIT,
      metricsAccess: { token: undefined, isLocal: true },
      proxies: 0,
      scriptsIn: SCRIPTS,
    },
  ).middleware
}

const answer: Koa.Middleware = (ctx) => {
  ctx.body = 'x'
}
/** Replaces every body by the same one, to leave out the cost of serialising it. */
const replaced: Koa.Middleware = async (ctx, next) => {
  await next()
  ctx.body = 'x'
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

const handlerOf = (order: readonly Koa.Middleware[]): Handle => {
  const app = new Koa()
  app.silent = true
  for (const middleware of order) app.use(middleware)
  return app.callback()
}

const socket = new Socket()
let sent = 0

const once = async (handle: Handle, bearer = token): Promise<void> => {
  const request = new IncomingMessage(socket)
  request.method = 'GET'
  request.url = paths[sent++ % paths.length]!
  request.headers = { host: 'localhost', authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const response = new ServerResponse(request)
  await handle(request, response)
  if (response.statusCode !== 200) throw new Error(`${request.url} was answered with ${response.statusCode}`)
}

/** CPU time of all threads for a request, in µs. @param bearer token to send instead of the key */
const measure = async (handle: Handle, bearer?: string): Promise<number> => {
  const before = process.cpuUsage()
  for (let batch = 0; batch < BATCHES; batch++)
    await Promise.all(Array.from({ length: TOGETHER }, () => once(handle, bearer)))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (BATCHES * TOGETHER)
}

const [quiet, logging] = [apiWith('silent'), apiWith('info')]
const serving = logging.findIndex(({ name }) => name === 'serveOperation')
if (serving < 0) throw new Error('the API has no middleware any more that serves operations')
const before = logging.slice(0, serving)

const authenticate = authenticator(background.stores.readModels.live, failedAttempts(RATE_LIMIT))
const limit = rateLimit(RATE_LIMIT)
const find = findRoute(routesOf([...background.core.resources.values()]))
const found: Koa.Middleware = async (ctx, next) => {
  ctx.state.route = find(ctx.req)?.route
  await next()
}
const identified: Koa.Middleware = async (ctx, next) => {
  ctx.state.caller = await authenticate(ctx as ApiContext)
  await next()
}
const limited: Koa.Middleware = async (ctx, next) => {
  await limit(ctx as ApiContext, ctx.state.caller)
  await next()
}

const upTo = (...order: readonly Koa.Middleware[]) => handlerOf([replaced, ...order, answer])

/** Each stage adds one part to the stage before it. */
const stages: readonly (readonly [string, Handle])[] = [
  ['an empty Koa handler', upTo()],
  [`${quiet[0]!.name}, without the log line`, upTo(quiet[0]!)],
  ['the log line', upTo(before[0]!)],
  ...before.slice(1).map(({ name }, at) => [name, upTo(...before.slice(0, at + 2))] as const),
  ['finding the operation', upTo(...before, found)],
  ['authentication', upTo(...before, found, identified)],
  ['the limit of requests', upTo(...before, found, identified, limited)],
  ['scopes, the handler, and the answer, past Koa', handlerOf(logging)],
]

const OBSERVED = 1_000_000

/** Connects an application with the workspace of the key. @returns an access token of the connection */
const platformAccess = async (): Promise<string> => {
  const { core, stores, applications } = background
  const { live } = stores.readModels
  const [key] = await live.find('api_key', { where: { hash: hashToken(token!) }, limit: 1 })
  const [teamId, workspaceId] = [Number(key?.team_id), Number(key?.only_workspace_id)]
  const members = await live.find('membership', { where: { team_id: teamId } })
  const person = members.find(({ platform_agent }) => platform_agent !== true)
  const name = 'Costs'
  const { id: applicationId } = await applications.create(teamId, { name, redirect_uris: ['https://costs.example'] })
  const of = { applicationId, userId: Number(person?.user_id), membershipId: Number(person?.id), workspaceId }
  const order = (asked: Ask) =>
    carryOut({ engine: core.engine, reached: background.reached }, asked, { teamId, workspaceId }, Date.now())
  const [connection, tokenId] = await withIds(core.ids, () =>
    [connections.name, platformToken.name].map((kind) => core.ids.next(kind)),
  )
  await order(connecting(connection!, of, ['read', 'write']))
  const access = `${TOKEN_PREFIXES.access}${randomBytes(30).toString('base64url')}`
  const issued = { hash: hashToken(access), kind: 'access', scopes: ['read', 'write'] } as const
  await order(issuing({ id: connection!, workspace_id: workspaceId }, tokenId!, issued))
  return access
}

/** Observing the Prometheus metrics costs too little to show up as a difference, so it is repeated many times. */
const histogram = (): number => {
  const { duration } = requestMetrics(new Registry())
  const labelled = duration.labels({ operation: 'getContacts', status: '200' })
  const before = process.cpuUsage()
  for (let n = 0; n < OBSERVED; n++) labelled.observe((n % 100) / 10_000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / OBSERVED
}

const access = await platformAccess()
const authenticated = upTo(...before, found, identified)
const measured = [...stages.map(([, handle]) => [handle] as const), [authenticated, access] as const]
const values = measured.map(() => [] as number[])
for (let round = 0; round < WARMING + ROUNDS; round++) {
  const found = await inTurn(
    round,
    measured.map(([handle, bearer]) => async () => [await measure(handle, bearer)]),
  )
  if (round >= WARMING) for (const [at, value] of found.entries()) values[at]!.push(value)
}

const whole = values.map(median)
const byKey = stages.findIndex(([part]) => part === 'authentication')

const costs: readonly Cost[] = [
  ...stages.map(([part], at) => ({ part, micros: whole[at]! - (whole[at - 1] ?? 0) })),
  { part: 'all of it', micros: whole[stages.length - 1]! },
  { part: BY_PLATFORM_TOKEN, micros: whole[stages.length]! - whole[byKey]! },
  { part: `the histogram, a part of ${quiet[0]!.name}`, micros: histogram() },
]
await background.stop()
process.stdout.write(`${JSON.stringify(costs)}\n`)
process.exit(0)
