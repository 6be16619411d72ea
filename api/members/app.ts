import { businessName } from '../../domain/emails/public.ts'
import { hostName } from '../../domain/sites/public.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { pageApp } from '../page-app/app.ts'
import { readingFor, siteAt } from '../pages/site.ts'
import { communityRoutes } from './communities/routes.ts'
import { courseRoutes } from './courses/routes.ts'
import { enterRoutes } from './enter.ts'
import { homeRoutes } from './home.ts'
import { mailRoutes } from './mail-topics.ts'
import { orderRoutes } from './orders/routes.ts'
import type { MemberPage, MemberRequest, Route } from './request.ts'
import type { MembersService } from './service.ts'
import { answerPage, signInFor } from './shell.ts'
import { signInRoutes } from './sign-in.ts'
import { withoutEnd } from './trailing.ts'
import { viewerOf } from './viewer.ts'
import { wordsFor } from './words/words.ts'

const PATH = /^\/members(?:\/|$)/
const MOST_BYTES = 1024 * 1024

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
  const workspace = site && (await service.everywhere.get('workspace', site.workspaceId))
  if (!site || !workspace) return undefined
  const at = new Date(service.now(site.workspaceId)).toISOString()
  const [business, viewer] = await Promise.all([
    businessName(workspace, service.everywhere),
    viewerOf({ ctx, service, site, at }),
  ])
  const { language, words } = wordsFor((languages) => ctx.acceptsLanguages(languages))
  return {
    ...{ ctx, service, site, reading, workspace, business, language, words, at, viewer },
    ...{ isSecure: ctx.secure, formToken: viewer?.session?.formToken },
  }
}

/** Leads to the address without slashes at its end. */
const trailing: Route = { path: /\/$/, audience: 'everybody', show: ({ ctx }) => ({ to: withoutEnd(ctx.path) }) }

const first = ({ ctx, viewer }: MemberRequest, { audience }: Route, act: 'show' | 'take') => {
  const isReading = act === 'show' && audience === 'readers'
  const isOpen = audience === 'everybody' || (isReading ? viewer : viewer?.session)
  return isOpen ? undefined : { to: signInFor(ctx.path) }
}

/**
 * Serves the members' side (`/members…`) on the hosts of workspaces. It has no script, and nothing of it stays in a cache.
 *
 * @param linksPerHour links to sign in that may be asked for from one address of the network; 0: no limit
 */
export const memberPages = (service: MembersService, withBody: WithBody, linksPerHour: number) => {
  const serve = pageApp<MemberRequest, MemberPage, Route>({
    ...{ withBody, first, answerPage, mostBytes: MOST_BYTES },
    routes: [trailing, ...routesOf(linksPerHour)],
    words: ({ words }) => words,
  })

  const served = async (ctx: ApiContext, next: Next): Promise<unknown> => {
    const request = await requestOf(ctx, service)
    if (!request) return next()
    ctx.state.operation = 'member_page'
    return serve(request)
  }

  return function memberPage(ctx: ApiContext, next: Next): Promise<unknown> {
    return PATH.test(ctx.path) ? served(ctx, next) : next()
  }
}
