import { leadingTo } from '../page-app/leading-on.ts'
import type { SignedIn } from './signed-in.ts'

const FRESH_MS = 10 * 60_000

/** Page on which those sign in again who are signed in, before they change how one gets in. */
export const SIGN_IN_AGAIN = '/sign-in/again'

/** Returns the address of that page, which leads on to a path. */
export const signInAgainFor = (path: string): string => leadingTo(SIGN_IN_AGAIN, path)

/** Whether a person signed in within the last ten minutes. A session that is older may be in other hands by now. */
export const isFresh = ({ authenticatedAt }: Pick<SignedIn, 'authenticatedAt'>, at: string): boolean =>
  Date.parse(at) - Date.parse(authenticatedAt) < FRESH_MS
