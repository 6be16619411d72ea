import { type Credentials, credential, credentials, openUserSession } from '../../domain/account/public.ts'
import { formTokens } from '../html/forms.ts'
import type { ApiContext } from '../http/context.ts'
import { signInAt } from '../page-app/leading-on.ts'
import { newSessionSecret, sessionSecretIn } from '../page-app/session-cookie.ts'
import { hashToken } from '../token-hash.ts'
import { findByCookie, SESSION } from './cookies.ts'
import type { AccountsService, SessionService } from './service.ts'

/** User who is signed in in the browser of a request, with all factors that the user has. */
export interface SignedIn {
  readonly userId: number
  /** Id of the credentials, which is that of the user. */
  readonly credentialsId: number
  /** Number that everything carries that is handed out to the user. */
  readonly generation: number
  /** Digest by which the credentials know the session. */
  readonly digest: string
  /** Token of the forms of the session. */
  readonly formToken: string
  /** When the session began; ISO 8601. */
  readonly authenticatedAt: string
  readonly isSecondFactorDone: boolean
}

/** Start page of those who are signed in. */
export const HOME = '/account'
export const SIGN_IN = '/sign-in'

/** Returns the address of the sign-in page that leads back to a local path with its query. */
export const signInFor = signInAt(SIGN_IN, HOME)

/** Returns the token of the forms that follow from a secret. */
export const formTokenOf = formTokens('accounts')

/** Returns the secret of a new session and its digest. */
export const newSession = (userId: number): { readonly cookie: string; readonly digest: string } => {
  const { secret, cookie } = newSessionSecret(userId)
  return { cookie, digest: hashToken(secret) }
}

/** Returns the credentials of a user as the log has them now: what ended in another process has ended here. */
export const credentialsOf = async (
  { engine }: Pick<AccountsService, 'engine'>,
  userId: number,
): Promise<Credentials | undefined> => (await engine.records(credentials, userId, -1)).root(credential)

/** Returns whose session the value of a cookie is. */
const sessionOf = async (service: SessionService, value: string): Promise<SignedIn | undefined> => {
  const named = sessionSecretIn(value)
  const held = named && (await credentialsOf(service, named.id))
  if (!held) return undefined
  const { secret } = named
  const digest = hashToken(secret)
  const session = openUserSession(held, digest, new Date(service.now()).toISOString())
  return (
    session && {
      ...{ userId: held.id, credentialsId: held.id, generation: held.generation, digest },
      formToken: formTokenOf(service, secret),
      authenticatedAt: session.began_at,
      isSecondFactorDone: session.second_factor,
    }
  )
}

/** Returns who is signed in in the browser of a request. */
export const signedIn = (ctx: Pick<ApiContext, 'headers'>, service: SessionService): Promise<SignedIn | undefined> =>
  findByCookie(ctx, service, SESSION, (value) => sessionOf(service, value))
