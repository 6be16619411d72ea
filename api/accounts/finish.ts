import { type Credentials, credentials, type Factor } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { Redirect } from '../html/page.ts'
import { browserOf } from '../http/user-agent.ts'
import { leadingTo } from '../page-app/leading-on.ts'
import { carryOut } from './carry-out.ts'
import { ENTRY, browserOf as knownBrowser, makeBrowser, SESSION, setCookie } from './cookies.ts'
import { makeKnown } from './known-browser.ts'
import type { AccountRequest } from './request.ts'
import { noPendingCookie, pendingCookie, SECOND_STEP } from './second-factor/pending.ts'
import { newSession } from './signed-in.ts'

/** Page that goes on when the browser has kept the cookie of the session. */
export const SIGNED_IN = '/sign-in/done'

/** What somebody has proved to be, and where they go on. */
export interface Proved {
  readonly held: Credentials
  /** Number of the link that proved it. */
  readonly number: number | null
  readonly to: string | null
  /** What was shown besides a password or a link. */
  readonly factor?: Factor
}

/** Returns what the browser of a request calls itself, as far as it is known. */
const browserIn = ({ ctx }: AccountRequest): string | null => {
  const { browser, os } = browserOf(ctx.get('user-agent'))
  return browser === null ? os : [browser, ...(os === null ? [] : [os])].join(' on ')
}

/** Asks for a code. Nobody is signed in before it, and a link is not used up. */
const secondStep = ({ service }: AccountRequest, { held, number, to }: Proved): Redirect => {
  const first = { userId: held.id, generation: held.generation, link: number }
  return { to: leadingTo(SECOND_STEP, to ?? undefined), cookies: [pendingCookie(service, first)] }
}

/**
 * Signs the browser in as a user who has given all factors, under a new id, or asks for the one that is missing. The session that it had before
 * ends.
 */
export const finishSignIn = async (request: AccountRequest, proved: Proved): Promise<Redirect | Refusal> => {
  const { held, number, to, factor } = proved
  if (held.code_app && !factor) return secondStep(request, proved)
  const { service, viewer } = request
  const { cookie, digest } = newSession(held.id)
  const { generation } = held
  const result = await carryOut(
    request,
    ask(credentials, held.id, 'signIn', {
      digest,
      generation,
      number,
      factor: factor ?? null,
      browser: browserIn(request),
    }),
  )
  if (result instanceof Refusal) return result
  if (viewer) await carryOut(request, ask(credentials, viewer.credentialsId, 'signOut', { digest: viewer.digest }))
  return {
    to: leadingTo(SIGNED_IN, to ?? undefined),
    cookies: [
      setCookie(service, SESSION, cookie),
      makeKnown(service, held.id),
      noPendingCookie(service),
      ...(knownBrowser(request.ctx, service) === undefined ? [makeBrowser(service).cookie] : []),
      ...(number === null ? [] : [setCookie(service, ENTRY, '')]),
    ],
  }
}
