import type { Page, Redirect } from '../html/page.ts'
import type { RepeatDeps } from '../html/repeats.ts'
import type { ApiContext } from '../http/context.ts'

/** Request for a page, as far as all pages know it. */
export interface PageRequest {
  readonly ctx: ApiContext
  readonly service: RepeatDeps
  /** Whether cookies are for TLS alone. */
  readonly isSecure: boolean
  /** Token of the forms of the session that the request belongs to. */
  readonly formToken: string | undefined
}

/** Page that is shown in the frame of its app. */
export interface ShownPage extends Page {
  /** Path of the entry of the navigation that it belongs to. */
  readonly within?: string
  /** Cookies that the answer sets. */
  readonly cookies?: readonly string[]
  /** Origins that it may frame. */
  readonly frames?: readonly string[]
  /** Sources of its videos. */
  readonly media?: readonly string[]
  /** Sources of scripts; default: there are none. */
  readonly scripts?: readonly string[]
  /** Origins or schemes that its forms may lead to, besides its own. */
  readonly forms?: readonly string[]
}

/** What a request is answered with; `undefined`: there is no such page for whoever asks. */
export type AnswerOf<P extends ShownPage> = P | Redirect | undefined

export type MaybeAnswer<P extends ShownPage> = Promise<AnswerOf<P>> | AnswerOf<P>

/** What shows a page, and what its form asks for. */
export interface Handlers<R, P extends ShownPage = ShownPage> {
  /** Shows the page, and changes nothing that cannot be done again. */
  readonly show?: ((request: R, groups: readonly string[]) => MaybeAnswer<P>) | undefined
  /** Carries out what a form of the page asks for. */
  readonly take?: ((request: R, sent: URLSearchParams, groups: readonly string[]) => MaybeAnswer<P>) | undefined
}

/** Pages under a path. */
export interface PageRoute<R, P extends ShownPage = ShownPage> extends Handlers<R, P> {
  readonly path: RegExp
  /** Whom it is for. Only the forms of those for everybody are taken without the token of a session. */
  readonly audience: string
  /** Whether its form can be carried out once: a repeat in the same browser gets the first answer. */
  readonly isOnce?: boolean | undefined
  /** Answers a form that came from elsewhere or cannot be read. Default: a page that says so. */
  readonly expired?: (request: R, groups: readonly string[]) => MaybeAnswer<P>
}

/** Returns a handler that lets in those requests alone that are of a kind. All others find nothing. */
export const only = <R, V extends R, A extends readonly unknown[], P extends ShownPage>(
  isOf: (request: R) => request is V,
  handle: ((request: V, ...args: A) => MaybeAnswer<P>) | undefined,
) => handle && ((request: R, ...args: A): MaybeAnswer<P> => (isOf(request) ? handle(request, ...args) : undefined))

/** Returns the first route with a path, and the groups of its pattern. */
export const routeFor = <T extends { readonly path: RegExp }>(
  routes: readonly T[],
  path: string,
): { readonly route: T; readonly groups: readonly string[] } | undefined => {
  for (const route of routes) {
    const match = route.path.exec(path)
    if (match) return { route, groups: match.slice(1) }
  }
  return undefined
}
