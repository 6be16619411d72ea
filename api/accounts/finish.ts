import { type Credentials, credentials } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { Redirect } from '../html/page.ts'
import { carryOut } from './carry-out.ts'
import { ENTRY, SESSION, setCookie } from './cookies.ts'
import { makeKnown } from './known-browser.ts'
import type { AccountRequest } from './request.ts'
import { newSession } from './signed-in.ts'

/** Page that goes on when the browser has kept the cookie of the session. */
export const SIGNED_IN = '/sign-in/done'

/** What somebody has proved to be, and where they go on. */
export interface Proved {
  readonly held: Credentials
  /** Number of the link that proved it. */
  readonly number: number | null
  readonly to: string | null
  readonly second_factor: boolean
}

/** Signs the browser in as a user who has given all factors, under a new id. The session that it had before ends. */
export const finishSignIn = async (
  request: AccountRequest,
  { held, number, to, second_factor }: Proved,
): Promise<Redirect | Refusal> => {
  const { service, viewer } = request
  const { cookie, digest } = newSession(held.id)
  const { generation } = held
  const result = await carryOut(
    request,
    ask(credentials, held.id, 'signIn', { digest, generation, number, second_factor }),
  )
  if (result instanceof Refusal) return result
  if (viewer) await carryOut(request, ask(credentials, viewer.credentialsId, 'signOut', { digest: viewer.digest }))
  return {
    to: to === null ? SIGNED_IN : `${SIGNED_IN}?${new URLSearchParams({ to })}`,
    cookies: [
      setCookie(service, SESSION, cookie),
      makeKnown(service, held.id),
      ...(number === null ? [] : [setCookie(service, ENTRY, '')]),
    ],
  }
}
