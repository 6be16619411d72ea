import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import { pathKey } from '../../domain/resources/attributes/path-key.ts'
import { hostName, isReserved } from '../../domain/sites/public.ts'
import { CheckedPageCache } from '../../projections/checked-page-cache.ts'
import type { Sources } from '../../projections/fragments.ts'
import { PageCache } from '../../projections/page-cache.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { locationWithin } from '../http/location.ts'
import { Body, HEADERS } from './body.ts'
import { SCRIPTS } from './client/scripts.ts'
import { entering } from './enter.ts'
import { inTime } from './in-time.ts'
import { askAgainIn, ONE_MOMENT } from './one-moment.ts'
import { locationOf, type Outcome } from './outcome.ts'
import { missing, resolve } from './resolve.ts'
import { send } from './send.ts'
import type { PagesService } from './service.ts'
import { isConnected, readingFor, siteAt } from './site.ts'

/** Bytes that cached pages may take. */
const MEMORY = 64 * 1024 * 1024

/** Paths of the pages themselves among those that no page can have. */
const OWN_FILES: ReadonlySet<string> = new Set(['/robots.txt', '/sitemap.xml', '/favicon.ico'])

const NOT_FOUND = new Body(
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Page not found</title></head><body><main><h1>Page not found</h1><p>There is no page at this address.</p></main></body></html>',
  {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'X-Robots-Tag': 'noindex',
  },
)

const FAVICON = new Body(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#1d4ed8"/></svg>',
  { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' },
)

const sizeOf = (outcome: Outcome): number => (outcome.kind === 'body' ? outcome.body.size : 1000)

const queryOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

/** Answers proxies that ask whether they may get a certificate for a name: 200 for the host of a domain, 404 for any other. */
export const connectedHosts = (service: PagesService) => {
  const answer = async (ctx: ApiContext): Promise<void> => {
    ctx.state.operation = 'connected_host'
    const query = new URLSearchParams(ctx.querystring)
    // Caddy names it `domain`.
    const found = await isConnected(service, query.get('name') ?? query.get('domain') ?? '')
    ctx.status = found ? 200 : 404
    ctx.body = found ? 'connected\n' : 'unknown\n'
  }
  return function connectedHost(ctx: ApiContext, next: Next): Promise<unknown> {
    const isAsked = ctx.path === '/.well-known/millrace/host' && (ctx.method === 'GET' || ctx.method === 'HEAD')
    return isAsked ? answer(ctx) : next()
  }
}

/** Serves the scripts of pages, which never change under their paths. */
export const pageScripts = () =>
  function pageScript(ctx: ApiContext, next: Next): Promise<unknown> {
    const script = SCRIPTS.get(ctx.path)
    if (!script || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    ctx.state.operation = 'page_script'
    return send(ctx, script.body)
  }

/** Finds what is at a path of a host. It is cached until one of its sources changes; what does not exist is not. */
const finder = (service: PagesService) => {
  const { watched, lastChanges } = service
  const isInTime = (outcome: Outcome): boolean =>
    outcome.kind !== 'body' || !outcome.until || service.now(outcome.until.workspaceId) < Date.parse(outcome.until.at)
  const bounds = { memory: MEMORY, sizeOf, isInTime }
  const cache = lastChanges
    ? new CheckedPageCache<Outcome>({ lastChanges, ...bounds })
    : new PageCache<Outcome>({ watched, ...bounds })
  const make = async (host: string, key: string, sources: Sources): Promise<Outcome | undefined> => {
    const reading = readingFor(service, sources)
    const site = await siteAt(host, reading)
    return site && resolve(site, key, reading)
  }
  const find = (host: string, key: string): Outcome | Promise<Outcome | undefined> =>
    cache.find(`${host} ${key}`, (sources) => inTime(make(host, key, sources)))
  /** Returns what a host shows where it has no page; `undefined` for a host without a workspace. */
  const findMissing = async (host: string): Promise<Body | undefined> => {
    const sources = { document() {}, where() {}, collection() {}, passing() {} }
    const site = await siteAt(host, readingFor(service, sources))
    if (!site) return undefined
    // No path begins with a question mark.
    const made = await cache.find(`${host} ?${site.workspaceId}`, (noted) =>
      inTime(missing(site, readingFor(service, noted))),
    )
    return made?.kind === 'body' ? made.body : NOT_FOUND
  }
  return { find, findMissing }
}

/** Creates the middleware that serves the pages of workspaces by the names of their hosts. Other hosts, and paths of the listener itself, are not its own. */
export const hostedPages = (service: PagesService) => {
  const { find, findMissing } = finder(service)
  const enter = entering(service)
  return async function hostedPage(ctx: ApiContext, next: Next): Promise<unknown> {
    const { path } = ctx
    const host = hostName(ctx.host)
    if (host === undefined || (isReserved(path) && !OWN_FILES.has(path))) return next()
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    const hasSlash = path.length > 1 && path.endsWith('/')
    const key = isRead ? pathKey(hasSlash ? path.slice(0, -1) : path) : undefined
    const outcome = key === undefined || key === '/favicon.ico' ? undefined : await find(host, key)
    const instead = outcome ? undefined : await findMissing(host)
    if (!outcome && !instead) return next()
    ctx.state.operation = 'page'
    if (!isRead) {
      ctx.set({ ...HEADERS, Allow: 'GET, HEAD' })
      ctx.status = 405
      return undefined
    }
    if (key === '/favicon.ico') return send(ctx, FAVICON)
    if (!outcome) return sendMissing(ctx, instead ?? NOT_FOUND)
    const query = queryOf(ctx.url)
    const isElsewhere = outcome.kind === 'body' && outcome.at !== undefined && outcome.at !== path
    if (isElsewhere) return redirect(ctx, locationOf({ path: outcome.at }, query), 301)
    if (hasSlash) return redirect(ctx, locationOf({ path: path.slice(0, -1) }, query))
    if (outcome.kind === 'body') return send(ctx, outcome.body)
    if (outcome.kind === 'redirect') return redirect(ctx, locationOf(outcome.to, query))
    return enterOr503(ctx, () => enter(ctx, outcome, query))
  }
}

/** Has a visitor enter, who is asked to come again where that cannot be noted at the moment. */
const enterOr503 = async (ctx: ApiContext, enter: () => Promise<void>): Promise<void> => {
  try {
    ctx.set(HEADERS)
    await enter()
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal?.kind !== 'unavailable') throw error
    ctx.remove('Location')
    ctx.status = 503
    ctx.body = ONE_MOMENT
    ctx.set(askAgainIn(refusal.retryAfter ?? 1))
  }
}

/** What is not there has no tag: a client that had it is told so too. */
const sendMissing = async (ctx: ApiContext, body: Body): Promise<void> => {
  ctx.set(body.headers)
  ctx.remove('ETag')
  ctx.status = 404
  ctx.body = body.bytes
  ctx.set('Content-Type', body.headers['Content-Type']!)
}

const redirect = (ctx: ApiContext, location: string, status = 302): void => {
  ctx.status = status
  ctx.set({ ...HEADERS, 'Cache-Control': 'no-cache', Location: locationWithin(location) })
  ctx.body = ''
}
