import { type Refusal, refusalIn } from '../../domain/kernel/values/refusal.ts'
import { addCookie } from '../html/cookies.ts'
import { filled } from '../html/filled.ts'
import { FORM_TOKEN, isFormBody, isFormToken } from '../html/forms.ts'
import { answerRedirect, saying, statusOfRefused } from '../html/page.ts'
import { oncePerBrowser } from '../html/repeats.ts'
import { routeFor } from '../html/routes.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { fieldsOfBody } from '../http/utf8.ts'
import type { Service } from '../service.ts'
import { agentRoutes } from './agent-confirmation.ts'
import { passwordRoutes } from './change-password.ts'
import { browserOf, makeBrowser } from './cookies.ts'
import { enterRoutes } from './enter.ts'
import { homeRoutes } from './home.ts'
import { linkRoutes } from './link.ts'
import { passkeySignInRoutes } from './passkeys/sign-in.ts'
import { peopleRoutes } from './people/routes.ts'
import { isFresh, signInAgainFor } from './proof.ts'
import type { AccountRequest, Answer, Guards, Route, Viewer } from './request.ts'
import { secondStepRoutes } from './second-factor/step.ts'
import { securityRoutes } from './security/routes.ts'
import { answerPage } from './shell.ts'
import { signInRoutes } from './sign-in.ts'
import { signedIn, signInFor } from './signed-in.ts'
import { WORDS } from './words.ts'

const { missing, refused } = WORDS

const PATH = /^\/(?:sign-in|sign-out|signed-out|in|invitations|account)(?:\/|$)/
const MOST_BYTES = 16 * 1024

/** Returns all pages. @param linksPerHour links that may be asked for from one address of the network; 0: no limit */
export const routesOf = (linksPerHour: number): readonly Route[] => [
  ...signInRoutes,
  ...linkRoutes(linksPerHour),
  ...enterRoutes,
  ...homeRoutes,
  ...passwordRoutes,
  ...secondStepRoutes,
  ...passkeySignInRoutes,
  ...securityRoutes,
  ...peopleRoutes,
  ...agentRoutes,
]

const viewerOf = async (ctx: ApiContext, service: Service): Promise<Viewer | undefined> => {
  const found = await signedIn(ctx, service)
  const user = found && (await service.live.get('user', found.userId))
  return found && user && { ...found, email: String(user.email) }
}

/**
 * Whether a form comes from a page of these, as far as the browser says: neither another site nor another port of the host has any. A proxy in
 * front may have changed the host, but not the address that is configured.
 */
const isFromHere = ({ headers, host }: ApiContext, { accountsUrl }: Service): boolean => {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  if (origin === undefined) return true
  return URL.canParse(origin) && [host, new URL(accountsUrl).host].includes(new URL(origin).host)
}

/** Returns the page that shows a refusal. */
const refusalPage = ({ ctx }: AccountRequest, { kind, retryAfter = 1 }: Refusal): Answer => {
  if (kind === 'notFound') return undefined
  if (kind === 'tooLarge') return saying(refused.title, refused.tooLarge, undefined, 413)
  if (kind !== 'unavailable' && kind !== 'tooMany')
    return saying(refused.title, refused.text, undefined, statusOfRefused(kind))
  ctx.set('Retry-After', String(retryAfter))
  if (kind === 'unavailable') return saying(refused.title, refused.busy, undefined, 503)
  const minutes = Math.max(1, Math.ceil(retryAfter / 60))
  return saying(refused.title, filled(refused.tooMany, { minutes }), undefined, 429)
}

const answer = (request: AccountRequest, answered: Answer): void => {
  if (!answered) answerPage(request, saying(missing.title, missing.text, undefined, 404))
  else if ('to' in answered) answerRedirect(request.ctx, answered)
  else answerPage(answered.viewer ? { ...request, viewer: answered.viewer } : request, answered)
}

const expired = (): Answer => saying(refused.title, refused.expired, undefined, 403)

/** What the pages need besides the service. */
export interface AccountPagesDeps {
  readonly withBody: WithBody
  readonly guards: Guards
  /** Links that may be asked for from one address of the network within an hour; 0: no limit. */
  readonly linksPerHour: number
}

/** Serves the pages on which people sign in and see to their accounts. Nothing of them stays in a cache. */
export const accountPages = (service: Service, { withBody, guards, linksPerHour }: AccountPagesDeps) => {
  const routes = routesOf(linksPerHour)

  /** Returns the path of the page that the form of a path is on. */
  const pageAbove = (path: string): string =>
    path === '' || routeFor(routes, path)?.route.show ? path : pageAbove(path.slice(0, path.lastIndexOf('/')))

  const taken = async (request: AccountRequest, { route, groups }: Found, sent: URLSearchParams): Promise<Answer> => {
    const { ctx, viewer } = request
    const isOpen = route.audience === 'everybody'
    if (!isOpen && !viewer) return { to: signInFor(ctx.path) }
    if (!isOpen && !isFormToken(sent.get(FORM_TOKEN), viewer?.formToken)) return expired()
    if (viewer && route.proof === 'fresh' && !isFresh(viewer, request.at))
      return { to: signInAgainFor(pageAbove(ctx.path)) }
    return route.take?.(request, sent, groups)
  }

  const take = async (request: AccountRequest, found: Found): Promise<void> => {
    const { ctx } = request
    if (!found.route.take) return answer(request, undefined)
    if (!isFromHere(ctx, service) || !isFormBody(ctx)) return answer(request, expired())
    const sent = await withBody(ctx, MOST_BYTES, async (bytes) => fieldsOfBody(bytes))
    const carryOut = async () => answer(request, await taken(request, found, sent))
    if (!found.route.isOnce) return carryOut()
    return oncePerBrowser(service, ctx, { browser: browserOf(ctx, service), sent: sent.toString() }, carryOut)
  }

  const shown = async (request: AccountRequest): Promise<Answer> => {
    const { ctx, viewer } = request
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    const found = routeFor(routes, ctx.path)
    if (!found) return undefined
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD, POST')
      return saying(missing.title, missing.text, undefined, 405)
    }
    if (found.route.audience === 'users' && !viewer) return { to: signInFor(ctx.path + ctx.search) }
    if (viewer && found.route.isFreshPage && !isFresh(viewer, request.at)) return { to: signInAgainFor(ctx.path) }
    return found.route.show?.(request, found.groups)
  }

  const handle = async (request: AccountRequest): Promise<void> => {
    const { ctx } = request
    const found = ctx.method === 'POST' ? routeFor(routes, ctx.path) : undefined
    if (found) return take(request, found)
    answer(request, await shown(request))
    // The browser of a page with a button is known before the button is pressed.
    if (ctx.method === 'GET' && ctx.status < 400 && browserOf(ctx, service) === undefined)
      addCookie(ctx, makeBrowser(service).cookie)
  }

  const serve = async (ctx: ApiContext): Promise<void> => {
    ctx.state.operation = 'account_page'
    const at = new Date(service.now()).toISOString()
    const request = { ctx, service, guards, at, viewer: await viewerOf(ctx, service) }
    try {
      await handle(request)
    } catch (error) {
      const refusal = refusalIn(error)
      if (!refusal) throw error
      answer(request, refusalPage(request, refusal))
    }
  }

  return function accountPage(ctx: ApiContext, next: Next): Promise<unknown> {
    return PATH.test(ctx.path) ? serve(ctx) : next()
  }
}

interface Found {
  readonly route: Route
  readonly groups: readonly string[]
}
