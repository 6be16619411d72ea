import type { CookieKind } from '../../html/cookies.ts'
import type { ApiContext } from '../../http/context.ts'
import { signedTexts } from '../../signed-texts.ts'
import { cookieOf, setCookie } from '../cookies.ts'
import type { AccountsService } from '../service.ts'

type PendingService = Pick<AccountsService, 'secrets' | 'accountsUrl' | 'now'>

/** Pages of the second step: by a code of the app, or by a recovery code. */
export const SECOND_STEP = '/sign-in/code'
export const RECOVERY_STEP = '/sign-in/recovery-code'

const LASTS_MS = 10 * 60_000

/** Proof of the first step of a sign-in. It is no session, and opens the page of the second step alone. */
const PENDING: CookieKind = { name: 'mr_second_step', lastsS: LASTS_MS / 1000 }

/** Whoever has shown a password or a link, and owes a code. */
export type PendingSignIn = {
  readonly userId: number
  readonly generation: number
  /** Number of the link, which the second step uses up; `null`: a password was shown. */
  readonly link: number | null
  /** Milliseconds since 1970. */
  readonly until: number
}

const signedBy = ({ secrets }: Pick<AccountsService, 'secrets'>) => signedTexts<PendingSignIn>(secrets, 'second-step')

/** Returns the header of the cookie that a first step leaves. */
export const pendingCookie = (service: PendingService, first: Omit<PendingSignIn, 'until'>): string =>
  setCookie(service, PENDING, signedBy(service).sign({ ...first, until: service.now() + LASTS_MS }))

/** Returns the header that removes it. */
export const noPendingCookie = (service: Pick<AccountsService, 'accountsUrl'>): string =>
  setCookie(service, PENDING, '')

/** Returns the first step that the browser of a request has taken, with the text that proves it. */
export const pendingOf = (
  ctx: Pick<ApiContext, 'headers'>,
  service: PendingService,
): (PendingSignIn & { readonly proof: string }) | undefined =>
  cookieOf(ctx, service, PENDING, (proof) => {
    const found = signedBy(service).verify(proof)
    return found && found.until > service.now() ? { ...found, proof } : undefined
  })
