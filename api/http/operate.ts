import findMyWay from 'find-my-way'
import { withIds } from '../../domain/kernel/id.ts'
import { refuse } from '../../domain/kernel/refusal.ts'
import { type Authenticate, authorize } from '../authenticate.ts'
import { call } from '../handlers/call.ts'
import { list } from '../handlers/list.ts'
import { read, show } from '../handlers/read.ts'
import { write } from '../handlers/write.ts'
import type { ApiRequest, Reply } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { type ApiContext, type Next, originOf } from './context.ts'

export const PREFIX = '/api/v2'

/** Finds the operation of a request. A radix tree: literal segments win over parameters, and the cost does not grow with the number of routes. */
export const findRoute = (routes: readonly Route[]) => {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 500 })
  for (const route of routes) {
    const path = PREFIX + route.path.replace(/\{([^}]+)\}/g, ':$1')
    for (const method of [route.method, ...route.alsoMethods]) router.on(method as 'GET', path, () => {}, route)
  }
  return function findOperation(ctx: ApiContext, next: Next): Promise<unknown> {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const found = router.find(method as 'GET', ctx.path)
    if (found) {
      ctx.state.route = found.store as Route
      ctx.state.params = found.params
    }
    return next()
  }
}

/** Runs a middleware only for requests that are no operation, so that operations do not pay for it. */
export const besideOperations = (middleware: (ctx: ApiContext, next: Next) => Promise<unknown>) =>
  function servePlainRoute(ctx: ApiContext, next: Next): Promise<unknown> {
    return ctx.state.route ? next() : middleware(ctx, next)
  }

/** Turns away what is neither an operation nor one of the plain routes. */
export const refuseUnknown = function refuseUnknownRoute(ctx: ApiContext, next: Next): Promise<unknown> {
  if (!ctx.state.route) throw refuse.notFound('No such route')
  return next()
}

/** Who calls, and whether the token's scopes cover the operation. */
export const checkCaller = (authenticate: Authenticate) =>
  async function identifyCaller(ctx: ApiContext, next: Next): Promise<void> {
    ctx.state.caller = await authenticate(ctx.req.headers.authorization)
    await next()
  }

/** Whether the token's scopes cover the operation. */
export const checkScopes = function checkScopesOf(ctx: ApiContext, next: Next): Promise<unknown> {
  authorize(ctx.state.caller!, ctx.state.route!)
  return next()
}

const HANDLERS = { list, show, read, write, call } as const

const handle = (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const work = () => HANDLERS[route.operation.kind](service, route, request)
  // Ids are drawn before anything is changed: where too few are in hand, the whole is done again.
  return route.method === 'GET' ? work() : withIds(service.ids, work)
}

/** Koa looks up the type by its extension, each time. */
const JSON_TYPE = 'application/json; charset=utf-8'
const NOTHING_ASKED = new URLSearchParams()

/** Carries the operation out and writes its reply. */
export const operate = (service: Service) =>
  async function operateOn(ctx: ApiContext): Promise<void> {
    const { route, params, caller, requestId } = ctx.state
    const question = ctx.req.url!.indexOf('?')
    const reply = await handle(service, route!, {
      params: params!,
      query: question < 0 ? NOTHING_ASKED : new URLSearchParams(ctx.req.url!.slice(question + 1)),
      headers: ctx.req.headers,
      body: ctx.request.body,
      caller: caller!,
      requestId,
      get origin() {
        return originOf(ctx)
      },
      target: ctx.req.url!,
    })
    ctx.status = reply.status
    for (const name in reply.headers) ctx.res.setHeader(name, reply.headers[name]!)
    if (reply.text !== undefined) {
      ctx.res.setHeader('Content-Type', JSON_TYPE)
      ctx.body = reply.text
      return
    }
    ctx.body = reply.body ?? null
    if (reply.body === undefined) ctx.status = reply.status
  }
