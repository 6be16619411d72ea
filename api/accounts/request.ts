import type { Loader } from '../../domain/resources/view-types.ts'
import {
  type AnswerOf,
  type Handlers,
  only,
  type PageRequest,
  type PageRoute,
  type ShownPage,
} from '../page-app/route.ts'
import type { Passwords } from './passwords.ts'
import type { AccountsService } from './service.ts'
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
export interface AccountRequest extends PageRequest {
  readonly service: AccountsService
  readonly guards: Guards
  /** Creates look-ups of records as they are shown. */
  readonly load: () => Loader
  /** ISO 8601. */
  readonly at: string
  readonly viewer: Viewer | undefined
}

/** Request of a user who is signed in. */
export type ViewerRequest = AccountRequest & { readonly viewer: Viewer; readonly formToken: string }

/** Page that is shown. */
export interface AccountPage extends ShownPage {
  /** User of the session that the answer begins, whose token its forms have. Default: that of the request. */
  readonly viewer?: Viewer
}

/** What a request is answered with; `undefined`: there is no such page. */
export type Answer = AnswerOf<AccountPage>

/**
 * What a form takes: that the user signed in of late, a session of any age (for what neither opens a way in nor shuts anybody out), or a proof that it asks
 * for itself.
 */
export type Proof = 'fresh' | 'session' | 'own'

/** Pages under a path. */
export interface Route extends PageRoute<AccountRequest, AccountPage> {
  /** Whom it is for. Strangers are asked to sign in. */
  readonly audience: 'everybody' | 'users'
  /** What its form takes of a user. */
  readonly proof?: Proof
  /** Whether its page, too, is for those alone who signed in of late. */
  readonly isFreshPage?: boolean
}

interface OfViewer extends Pick<Route, 'isOnce' | 'isFreshPage'>, Handlers<ViewerRequest, AccountPage> {
  /** Default: `fresh`. */
  readonly proof?: Proof
}

export const isOfViewer = (request: AccountRequest): request is ViewerRequest => request.viewer !== undefined

/** Declares pages for those who are signed in. Their forms come with the token of the session, and take a sign-in of late unless they say otherwise. */
export const forUsers = (
  path: RegExp,
  { show, take, isOnce, proof = 'fresh', isFreshPage = false }: OfViewer,
): Route => ({
  ...{ path, audience: 'users', isOnce, proof, isFreshPage },
  ...{ show: only(isOfViewer, show), take: only(isOfViewer, take) },
})
