import type { Page, Redirect } from '../html/page.ts'
import type { ApiContext } from '../http/context.ts'
import type { Service } from '../service.ts'
import type { Passwords } from './passwords.ts'
import type { SignedIn } from './signed-in.ts'
import type { Slowing } from './slowing.ts'

/** What keeps those out who try. */
export interface Guards {
  readonly passwords: Passwords
  readonly slowing: Slowing
}

/** User who is signed in, with the address that is shown. */
export interface Viewer extends SignedIn {
  readonly email: string
}

/** Request for a page on which people sign in. */
export interface AccountRequest {
  readonly ctx: ApiContext
  readonly service: Service
  readonly guards: Guards
  /** ISO 8601. */
  readonly at: string
  readonly viewer: Viewer | undefined
}

/** Request of a user who is signed in. */
export type ViewerRequest = AccountRequest & { readonly viewer: Viewer }

/** Page that is shown. */
export interface AccountPage extends Page {
  /** Path of the entry of the navigation that it belongs to. */
  readonly within?: string
  /** User of the session that the answer begins, whose token its forms have. Default: that of the request. */
  readonly viewer?: Viewer
  /** Cookies that the answer sets. */
  readonly cookies?: readonly string[]
  /** Sources of scripts; default: there are none. */
  readonly scripts?: readonly string[]
  /** Origins or schemes that its forms may lead to, besides its own. */
  readonly forms?: readonly string[]
}

/** What a request is answered with; `undefined`: there is no such page. */
export type Answer = AccountPage | Redirect | undefined

type MaybeAnswer = Promise<Answer> | Answer

/**
 * What a form takes: that the user signed in of late, a session of any age (for what neither opens a way in nor shuts anybody out), or a proof that it asks
 * for itself.
 */
export type Proof = 'fresh' | 'session' | 'own'

/** Pages under a path. */
export interface Route {
  readonly path: RegExp
  /** Whom it is for. Strangers are asked to sign in. */
  readonly audience: 'everybody' | 'users'
  /** What its form takes of a user. */
  readonly proof?: Proof
  /** Whether its page, too, is for those alone who signed in of late. */
  readonly isFreshPage?: boolean
  /** Whether its form can be carried out once: a repeat in the same browser gets the first answer. */
  readonly isOnce?: boolean | undefined
  /** Shows the page, and changes nothing. */
  show?(request: AccountRequest, groups: readonly string[]): MaybeAnswer
  /** Carries out what a form of the page asks for. */
  take?(request: AccountRequest, sent: URLSearchParams, groups: readonly string[]): MaybeAnswer
}

interface OfViewer {
  /** Default: `fresh`. */
  readonly proof?: Proof
  readonly isFreshPage?: boolean
  readonly isOnce?: boolean | undefined
  readonly show?: (request: ViewerRequest, groups: readonly string[]) => MaybeAnswer
  readonly take?: (request: ViewerRequest, sent: URLSearchParams, groups: readonly string[]) => MaybeAnswer
}

export const isOfViewer = (request: AccountRequest): request is ViewerRequest => request.viewer !== undefined

/** Declares pages for those who are signed in. Their forms come with the token of the session, and take a sign-in of late unless they say otherwise. */
export const forUsers = (
  path: RegExp,
  { show, take, isOnce, proof = 'fresh', isFreshPage = false }: OfViewer,
): Route => ({
  ...{ path, audience: 'users', isOnce, proof, isFreshPage },
  ...(show && { show: (request, groups) => (isOfViewer(request) ? show(request, groups) : undefined) }),
  ...(take && { take: (request, sent, groups) => (isOfViewer(request) ? take(request, sent, groups) : undefined) }),
})
