import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Koa from 'koa'
import { Registry } from 'prom-client'
import { createApi } from '../../api/app.ts'
import { authenticator } from '../../api/authenticate.ts'
import type { ApiContext } from '../../api/http/context.ts'
import { failedAttempts } from '../../api/http/failed-attempts.ts'
import { requestMetrics } from '../../api/http/observe.ts'
import { findRoute } from '../../api/http/operate.ts'
import { rateLimit } from '../../api/http/rate-limit.ts'
import { routesOf } from '../../api/routes.ts'
import { ROLES, readConfig } from '../../infra/config.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { startBackground } from '../../infra/runtime/background.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { SCRIPTS } from '../../infra/runtime/scripts.ts'
import { openStores } from '../../infra/stores/open.ts'
import { inTurn } from '../rounds.ts'
import { median } from '../statistics.ts'

const nothing = async () => 'cannot be fetched here'

/**
 * Measures the cost of each part of a GET. It adds the API's middleware and checks one by one, in their order, and sends requests without
 * sockets. Takes a data directory, a token, and ids of contacts; prints a list of `Cost`. The log goes to standard error.
 */
export interface Cost {
  readonly part: string
  readonly micros: number
}

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

const once = async (handle: Handle): Promise<void> => {
  const request = new IncomingMessage(socket)
  request.method = 'GET'
  request.url = paths[sent++ % paths.length]!
  request.headers = { host: 'localhost', authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = new ServerResponse(request)
  await handle(request, response)
  if (response.statusCode !== 200) throw new Error(`${request.url} was answered with ${response.statusCode}`)
}

/** CPU time of all threads for a request, in µs. */
const measure = async (handle: Handle): Promise<number> => {
  const before = process.cpuUsage()
  for (let batch = 0; batch < BATCHES; batch++) await Promise.all(Array.from({ length: TOGETHER }, () => once(handle)))
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

/** Observing the Prometheus metrics costs too little to show up as a difference, so it is repeated many times. */
const histogram = (): number => {
  const { duration } = requestMetrics(new Registry())
  const labelled = duration.labels({ operation: 'getContacts', status: '200' })
  const before = process.cpuUsage()
  for (let n = 0; n < OBSERVED; n++) labelled.observe((n % 100) / 10_000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / OBSERVED
}

const values = stages.map(() => [] as number[])
for (let round = 0; round < WARMING + ROUNDS; round++) {
  const found = await inTurn(
    round,
    stages.map(([, handle]) => async () => [await measure(handle)]),
  )
  if (round >= WARMING) for (const [at, value] of found.entries()) values[at]!.push(value)
}

const whole = values.map(median)

const costs: readonly Cost[] = [
  ...stages.map(([part], at) => ({ part, micros: whole[at]! - (whole[at - 1] ?? 0) })),
  { part: 'all of it', micros: whole.at(-1)! },
  { part: `the histogram, a part of ${quiet[0]!.name}`, micros: histogram() },
]
await background.stop()
process.stdout.write(`${JSON.stringify(costs)}\n`)
process.exit(0)
