import type { Loader } from '../../domain/resources/view-types.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { pageApp } from '../page-app/app.ts'
import { routeFor } from '../page-app/route.ts'
import { agentRoutes } from './agent-confirmation.ts'
import { passwordRoutes } from './change-password.ts'
import { isSecure as isSecureAt } from './cookies.ts'
import { enterRoutes } from './enter.ts'
import { homeRoutes } from './home.ts'
import { linkRoutes } from './link.ts'
import { passkeySignInRoutes } from './passkeys/sign-in.ts'
import { peopleRoutes } from './people/routes.ts'
import { isFresh, signInAgainFor } from './proof.ts'
import type { AccountPage, AccountRequest, Guards, Route, Viewer } from './request.ts'
import { secondStepRoutes } from './second-factor/step.ts'
import { securityRoutes } from './security/routes.ts'
import type { AccountsService } from './service.ts'
import { answerPage } from './shell.ts'
import { signInRoutes } from './sign-in.ts'
import { signedIn, signInFor } from './signed-in.ts'
import { WORDS } from './words.ts'

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

const viewerOf = async (ctx: ApiContext, service: AccountsService): Promise<Viewer | undefined> => {
  const found = await signedIn(ctx, service)
  const user = found && (await service.everywhere.get('user', found.userId))
  return found && user && { ...found, email: String(user.email) }
}

/** What the pages need besides the service. */
export interface AccountPagesDeps {
  readonly withBody: WithBody
  readonly guards: Guards
  /** Creates look-ups of records as they are shown. */
  readonly load: () => Loader
  /** Links that may be asked for from one address of the network within an hour; 0: no limit. */
  readonly linksPerHour: number
}

/** Serves the pages on which people sign in and see to their accounts. Nothing of them stays in a cache. */
export const accountPages = (service: AccountsService, { withBody, guards, load, linksPerHour }: AccountPagesDeps) => {
  const routes = routesOf(linksPerHour)
  const isSecure = isSecureAt(service)

  /** Returns the path of the page that the form of a path is on. */
  const pageAbove = (path: string): string =>
    path === '' || routeFor(routes, path)?.route.show ? path : pageAbove(path.slice(0, path.lastIndexOf('/')))

  const first = ({ ctx, viewer, at }: AccountRequest, route: Route, act: 'show' | 'take') => {
    const isForm = act === 'take'
    if (!viewer)
      return route.audience === 'users' ? { to: signInFor(isForm ? ctx.path : ctx.path + ctx.search) } : undefined
    const takesFresh = isForm ? route.proof === 'fresh' : route.isFreshPage
    if (!takesFresh || isFresh(viewer, at)) return undefined
    return { to: signInAgainFor(isForm ? pageAbove(ctx.path) : ctx.path) }
  }

  const serve = pageApp<AccountRequest, AccountPage, Route>({
    ...{ routes, withBody, first, answerPage, mostBytes: MOST_BYTES },
    words: () => WORDS,
    formsFrom: () => ({ url: service.accountsUrl, isNamed: true }),
  })

  const served = async (ctx: ApiContext): Promise<void> => {
    ctx.state.operation = 'account_page'
    const at = new Date(service.now()).toISOString()
    const viewer = await viewerOf(ctx, service)
    await serve({ ctx, service, isSecure, guards, load, at, viewer, formToken: viewer?.formToken })
  }

  return function accountPage(ctx: ApiContext, next: Next): Promise<unknown> {
    return PATH.test(ctx.path) ? served(ctx) : next()
  }
}
