import type { IncomingMessage } from 'node:http'
import findMyWay from 'find-my-way'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { Caller } from '../../domain/resources/operation.ts'
import { type ApiContext, type Next, originOf } from '../http/context.ts'
import { SHARED } from '../http/cross-origin.ts'
import { handlingIn } from '../http/preferences.ts'
import { sendText } from '../http/send-text.ts'
import { fieldsOfText } from '../http/utf8.ts'
import { PREFIX, type Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { type Authenticate, authorize } from './authenticate.ts'
import { list } from './list.ts'
import { read, show } from './read.ts'
import type { ApiRequest, Reply } from './request.ts'
import { ignoredHeader, type UnknownNames, unknownNames } from './unknown-names.ts'
import { write } from './write.ts'

interface Found {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

/** Returns a function that finds the operation of a request in a radix tree. Literals win over parameters, and more routes do not slow it down. */
export const findRoute = (routes: readonly Route[]) => {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 500 })
  for (const route of routes) {
    const path = PREFIX + route.path.replace(/\{([^}]+)\}/g, ':$1')
    for (const method of [route.method, ...route.alsoMethods]) router.on(method as 'GET', path, () => {}, route)
  }
  return ({ method, url }: IncomingMessage): Found | undefined => {
    const found = router.find((method === 'HEAD' ? 'GET' : method) as 'GET', url!)
    return found ? { route: found.store as Route, params: found.params } : undefined
  }
}

const HANDLERS = { list, show, read, write } as const

const handle = (service: Service, route: Route, request: ApiRequest): MaybePromise<Reply> => {
  const work = () => HANDLERS[route.operation.kind](service, route, request)
  // Ids are drawn before anything is changed. When too few are at hand, the whole request is handled again.
  return route.method === 'GET' ? work() : withIds(service.ids, work)
}

const NO_QUERY = new URLSearchParams()
const NO_NUMBERS: ApiRequest['lossyNumbers'] = []

const queryIn = (url: string): URLSearchParams => {
  const question = url.indexOf('?')
  return question < 0 ? NO_QUERY : fieldsOfText(url.slice(question + 1))
}

const send = (ctx: ApiContext, { status, headers, text, body }: Reply): void => {
  if (text !== undefined) {
    sendText(ctx, status, text, headers)
    return
  }
  ctx.status = status
  for (const name in headers) ctx.res.setHeader(name, headers[name]!)
  ctx.body = body ?? null
  if (body === undefined) ctx.status = status
}

const unknownDetail = (field: string) => ({ field, code: 'unknown', message: `${field} is not known` })

/**
 * Tells the client which names of its request are ignored.
 *
 * @throws {Refusal} invalid or, for parameters alone, malformed, naming them all, when the client prefers strict handling
 */
const nameIgnored = (prefer: string | readonly string[] | undefined, told: string[], unknown: UnknownNames): void => {
  const handling = handlingIn(prefer)
  if (handling) told.push('Preference-Applied', `handling=${handling}`)
  const { fields, parameters } = unknown
  if (fields.length + parameters.length === 0) return
  if (handling !== 'strict') {
    told.push('Millrace-Ignored', ignoredHeader(unknown))
    return
  }
  const refusal = refuse.invalidFields([...fields, ...parameters].map(unknownDetail))
  throw fields.length > 0 ? refusal : new Refusal('malformed', refusal.message, refusal.details)
}

/** Body of a request, and the paths of the numbers in it that lose digits. */
type SentBody = Pick<ApiRequest, 'body' | 'lossyNumbers'>

/** Request whose body has not been read. */
export interface AskedOperation extends Omit<ApiRequest, keyof SentBody> {
  /** Reads the body, once the caller is known to be allowed what it asks for. */
  readonly readBody: () => MaybePromise<SentBody>
  /** Headers of the answer that tell which names are ignored, names and values in turn. */
  readonly told: string[]
}

/**
 * Carries out one operation for a known caller, however its request arrived: authorizes it, reads its body, names what it ignores, and handles it.
 *
 * @throws {Refusal} for a request that is refused
 */
export const operate = (service: Service, route: Route, asked: AskedOperation): MaybePromise<Reply> => {
  const { params, query, headers, caller, requestId, origin, target, readBody, told } = asked
  authorize(caller, route, query)
  return mapMaybe(readBody(), ({ body, lossyNumbers }) => {
    nameIgnored(headers.prefer, told, unknownNames(route, { query, body }))
    return handle(service, route, { params, query, headers, body, lossyNumbers, caller, requestId, origin, target })
  })
}

/** Steps before an operation. All but `find` throw a refusal or let the request pass, synchronously where possible. */
export interface Steps {
  readonly find: (request: IncomingMessage) => Found | undefined
  readonly authenticate: Authenticate
  /** Counts a request of a token. */
  readonly limit: (ctx: ApiContext, caller: Caller) => MaybePromise<void>
  readonly readBody: (ctx: ApiContext) => MaybePromise<void>
}

/**
 * Serves operations in steps: authenticates the caller, counts the request, authorizes it and reads its body. A synchronous step costs no turn
 * of the microtask queue.
 */
export const serveOperations = (service: Service, { find, authenticate, limit, readBody }: Steps) =>
  async function serveOperation(ctx: ApiContext, next: Next): Promise<unknown> {
    const found = find(ctx.req)
    if (!found) return next()
    const { route, params } = found
    ctx.state.route = route
    ctx.state.headers.push(...SHARED)
    const identified = authenticate(ctx)
    const caller = identified instanceof Promise ? await identified : identified
    ctx.state.caller = caller
    const limited = limit(ctx, caller)
    if (limited) await limited
    const sent = (): SentBody => ({ body: ctx.request.body, lossyNumbers: ctx.state.lossyNumbers ?? NO_NUMBERS })
    const replying = operate(service, route, {
      params,
      query: queryIn(ctx.req.url!),
      headers: ctx.req.headers,
      caller,
      requestId: ctx.state.requestId,
      origin: () => originOf(ctx),
      target: ctx.req.url!,
      readBody: () => mapMaybe(readBody(ctx), sent),
      told: ctx.state.headers,
    })
    return send(ctx, replying instanceof Promise ? await replying : replying)
  }

/** Refuses requests that no route serves. @throws {Refusal} not found */
export const refuseUnknown = function refuseUnknownRoute(): never {
  throw refuse.notFound('No such route')
}
