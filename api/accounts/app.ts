import { type Refusal, refusalIn } from '../../domain/kernel/values/refusal.ts'
import { filled } from '../html/filled.ts'
import { FORM_TOKEN, isFormBody, isFormToken } from '../html/forms.ts'
import { answerRedirect, saying } from '../html/page.ts'
import { routeFor } from '../html/routes.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { fieldsOfBody } from '../http/utf8.ts'
import type { WithBody } from '../public/body.ts'
import type { Service } from '../service.ts'
import { agentRoutes } from './agent-confirmation.ts'
import { passwordRoutes } from './change-password.ts'
import { enterRoutes } from './enter.ts'
import { homeRoutes } from './home.ts'
import { linkRoutes } from './link.ts'
import { passkeySignInRoutes } from './passkeys/sign-in.ts'
import { peopleRoutes } from './people/routes.ts'
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
    return saying(refused.title, refused.text, undefined, kind === 'malformed' ? 400 : 409)
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

  const take = async (request: AccountRequest, { route, groups }: Found): Promise<Answer> => {
    const { ctx, viewer } = request
    if (!route.take) return undefined
    const isOpen = route.audience === 'everybody'
    const expired = saying(refused.title, refused.expired, undefined, 403)
    if (!isFromHere(ctx, service) || !isFormBody(ctx)) return expired
    if (!isOpen && !viewer) return { to: signInFor(ctx.path) }
    const sent = await withBody(ctx, MOST_BYTES, async (bytes) => fieldsOfBody(bytes))
    if (!isOpen && !isFormToken(sent.get(FORM_TOKEN), viewer?.formToken)) return expired
    return route.take(request, sent, groups)
  }

  const handle = async (request: AccountRequest): Promise<Answer> => {
    const { ctx, viewer } = request
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    const found = routeFor(routes, ctx.path)
    if (!found) return undefined
    if (ctx.method === 'POST') return take(request, found)
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD, POST')
      return saying(missing.title, missing.text, undefined, 405)
    }
    if (found.route.audience === 'users' && !viewer) return { to: signInFor(ctx.path + ctx.search) }
    return found.route.show?.(request, found.groups)
  }

  const serve = async (ctx: ApiContext): Promise<void> => {
    ctx.state.operation = 'account_page'
    const at = new Date(service.now()).toISOString()
    const request = { ctx, service, guards, at, viewer: await viewerOf(ctx, service) }
    try {
      answer(request, await handle(request))
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
