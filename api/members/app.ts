import { businessName } from '../../domain/emails/public.ts'
import { type Refusal, refusalIn } from '../../domain/kernel/values/refusal.ts'
import { hostName } from '../../domain/sites/public.ts'
import { addCookie } from '../html/cookies.ts'
import { FORM_TOKEN, isFormBody, isFormToken, isFromHere } from '../html/forms.ts'
import { answerRedirect, saying, statusOfRefused } from '../html/page.ts'
import { oncePerBrowser } from '../html/repeats.ts'
import { routeFor } from '../html/routes.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { fieldsOfBody } from '../http/utf8.ts'
import { readingFor, siteAt } from '../pages/site.ts'
import { communityRoutes } from './communities/routes.ts'
import { browserOf, makeBrowser } from './cookies.ts'
import { courseRoutes } from './courses/routes.ts'
import { enterRoutes } from './enter.ts'
import { homeRoutes } from './home.ts'
import { mailRoutes } from './mail-topics.ts'
import { orderRoutes } from './orders/routes.ts'
import type { Answer, MemberRequest, Route } from './request.ts'
import type { MembersService } from './service.ts'
import { answerPage, signInFor } from './shell.ts'
import { signInRoutes } from './sign-in.ts'
import { withoutEnd } from './trailing.ts'
import { viewerOf } from './viewer.ts'
import { wordsFor } from './words/words.ts'

const PATH = /^\/members(?:\/|$)/
const MOST_BYTES = 1024 * 1024

/** The answer has been given. */
const ANSWERED = Symbol('answered')

/** Nothing of these pages is kept. */
const NO_SOURCES = { document() {}, where() {}, collection() {}, passing() {} }

/** Returns all pages of the members’ side. @param linksPerHour links to sign in that may be asked for from one address of the network; 0: no limit */
export const routesOf = (linksPerHour: number): readonly Route[] => [
  ...signInRoutes(linksPerHour),
  ...enterRoutes,
  ...homeRoutes,
  ...courseRoutes,
  ...communityRoutes,
  ...orderRoutes,
  ...mailRoutes,
]

/** Returns what is known of a request before its page is looked for; `undefined` for a host without a workspace. */
const requestOf = async (ctx: ApiContext, service: MembersService): Promise<MemberRequest | undefined> => {
  const host = hostName(ctx.host)
  const reading = readingFor(service, NO_SOURCES)
  const site = host === undefined ? undefined : await siteAt(host, reading)
  const workspace = site && (await service.live.get('workspace', site.workspaceId))
  if (!site || !workspace) return undefined
  const at = new Date(service.now(site.workspaceId)).toISOString()
  const [business, viewer] = await Promise.all([
    businessName(workspace, service.live),
    viewerOf({ ctx, service, site, at }),
  ])
  const { language, words } = wordsFor((languages) => ctx.acceptsLanguages(languages))
  return { ctx, service, site, reading, workspace, business, language, words, at, viewer }
}

interface Found {
  readonly route: Route
  readonly ids: readonly number[]
}

/** Answers with what a handler returns. What there is not, and what is not open to this contact, look the same. */
const answer = (request: MemberRequest, answered: Answer): void => {
  const { words } = request
  if (!answered) answerPage(request, saying(words.missing.title, words.missing.text, undefined, 404))
  else if ('to' in answered) answerRedirect(request.ctx, answered)
  else answerPage(request, answered)
}

/** Returns the page that shows a refusal. */
const refusalPage = ({ words: { refused }, ctx }: MemberRequest, { kind, retryAfter = 1 }: Refusal): Answer => {
  if (kind === 'notFound') return undefined
  if (kind !== 'unavailable' && kind !== 'tooMany')
    return saying(refused.title, refused.text, undefined, statusOfRefused(kind))
  ctx.set('Retry-After', String(retryAfter))
  return saying(refused.title, refused.busy, undefined, 503)
}

/**
 * Serves the members' side (`/members…`) on the hosts of workspaces. It has no script, and nothing of it stays in a cache.
 *
 * @param linksPerHour links to sign in that may be asked for from one address of the network; 0: no limit
 */
export const memberPages = (service: MembersService, withBody: WithBody, linksPerHour: number) => {
  const routes = routesOf(linksPerHour)

  const take = async (request: MemberRequest, { route, ids }: Found): Promise<Answer | typeof ANSWERED> => {
    const { ctx, words, viewer } = request
    if (!route.take) return undefined
    const isOpen = route.audience === 'everybody'
    const token = viewer?.session?.formToken
    if (!isOpen && token === undefined) return { to: signInFor(ctx.path) }
    const expired = saying(words.refused.title, words.refused.expired, undefined, 403)
    if (!isFromHere(ctx) || !isFormBody(ctx)) return expired
    const sent = await withBody(ctx, MOST_BYTES, async (bytes) => fieldsOfBody(bytes))
    if (!isOpen && !isFormToken(sent.get(FORM_TOKEN), token)) return expired
    if (!route.isOnce) return route.take(request, ids, sent)
    const act = { browser: browserOf(ctx, service), sent: sent.toString() }
    await oncePerBrowser(service, ctx, act, async () => answer(request, await route.take?.(request, ids, sent)))
    return ANSWERED
  }

  const handle = async (request: MemberRequest): Promise<Answer | typeof ANSWERED> => {
    const { ctx, viewer, words } = request
    const { path } = ctx
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (isRead && path.endsWith('/')) return { to: withoutEnd(path) }
    const matched = routeFor(routes, path)
    if (!matched) return undefined
    const found: Found = { route: matched.route, ids: matched.groups.map(Number) }
    if (ctx.method === 'POST') return take(request, found)
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD, POST')
      return saying(words.missing.title, words.missing.text, undefined, 405)
    }
    const { audience } = found.route
    const isClosed = audience === 'readers' ? !viewer : audience === 'members' && !viewer?.session
    return isClosed ? { to: signInFor(path) } : found.route.show?.(request, found.ids)
  }

  const serve = async (ctx: ApiContext, next: Next): Promise<unknown> => {
    const request = await requestOf(ctx, service)
    if (!request) return next()
    ctx.state.operation = 'member_page'
    try {
      const answered = await handle(request)
      if (answered !== ANSWERED) answer(request, answered)
      // The browser of a page with a button is known before the button is pressed.
      if (ctx.method === 'GET' && ctx.status < 400 && browserOf(ctx, service) === undefined)
        addCookie(ctx, makeBrowser(ctx, service).cookie)
    } catch (error) {
      const refusal = refusalIn(error)
      if (!refusal) throw error
      answer(request, refusalPage(request, refusal))
    }
    return undefined
  }

  return function memberPage(ctx: ApiContext, next: Next): Promise<unknown> {
    return PATH.test(ctx.path) ? serve(ctx, next) : next()
  }
}
