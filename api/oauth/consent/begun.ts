import type { ShortTermKey } from '../../../domain/kernel/ports/short-term-store.ts'
import { browserOf, makeBrowser } from '../../accounts/cookies.ts'
import { signedIn } from '../../accounts/signed-in.ts'
import { addCookie } from '../../html/cookies.ts'
import { oncePerBrowser, type RepeatDeps } from '../../html/repeats.ts'
import type { ApiContext } from '../../http/context.ts'
import { hashToken } from '../../token-hash.ts'
import type { OpenedServer } from '../open.ts'
import { CONSENT } from '../paths.ts'

/** Time for which a request that somebody is to decide about is kept. */
export const LASTS_S = 3600

/** Address of the page of a request that has just begun. */
const BEGUN = new RegExp(`(?:^|//[^/]+)${CONSENT}/([\\w-]{1,100})(?:\\?|$)`)

/** Returns the id of the request that an address asks somebody to decide about; `undefined` for any other address. */
export const asksIn = (location: string): string | undefined => BEGUN.exec(location)?.[1]

const at = (uid: string): ShortTermKey => ({ kind: 'oauth/browser', key: hashToken(uid) })

const put = (
  { shortTerm, now }: OpenedServer,
  uid: string,
  data: { readonly browser: string; readonly session?: string },
) => shortTerm.put(at(uid), { data, until: now() + LASTS_S * 1000 })

/** Returns the digest of the secret by which the browser of a request is known. */
const digestOf = (ctx: ApiContext, { sessions }: OpenedServer): string | undefined => {
  const secret = browserOf(ctx, sessions)
  return secret === undefined ? undefined : hashToken(secret)
}

/** Makes the browser of a request known, unless it is. @returns the digest of its secret */
export const knownBrowser = (
  ctx: ApiContext,
  server: OpenedServer,
): { readonly digest: string; readonly cookie?: string } => {
  const known = digestOf(ctx, server)
  if (known !== undefined) return { digest: known }
  const { secret, cookie } = makeBrowser(server.sessions)
  return { digest: hashToken(secret), cookie }
}

/** Notes in which browser a request has begun, if the answer asks somebody to decide about one. */
export const noteBegun = async (
  ctx: ApiContext,
  server: OpenedServer,
  { digest, cookie }: ReturnType<typeof knownBrowser>,
): Promise<void> => {
  const uid = asksIn(ctx.response.get('Location'))
  if (uid === undefined) return
  await put(server, uid, { browser: digest })
  if (cookie !== undefined) addCookie(ctx, cookie)
}

/** Returns whether a request has begun in the browser that asks for it. */
export const isOfBrowser = async (ctx: ApiContext, server: OpenedServer, uid: string): Promise<boolean> => {
  const digest = digestOf(ctx, server)
  const begun = digest === undefined ? undefined : await server.shortTerm.get(at(uid), server.now())
  return begun !== undefined && begun.browser === digest
}

/** Notes in which session a request was decided: it goes on nowhere else. */
export const noteDecided = async (ctx: ApiContext, server: OpenedServer, uid: string, session: string): Promise<void> =>
  put(server, uid, { browser: digestOf(ctx, server) ?? '', session })

/** Returns whether a request was decided in the browser and the session that ask to go on. */
export const isOfDecider = async (ctx: ApiContext, server: OpenedServer, uid: string): Promise<boolean> => {
  if (!(await isOfBrowser(ctx, server, uid))) return false
  const [decided, person] = await Promise.all([
    server.shortTerm.get(at(uid), server.now()),
    signedIn(ctx, server.sessions),
  ])
  return person !== undefined && decided?.session === person.digest
}

/** Returns what answering repeats needs. */
export const repeatsOf = ({ sessions: { secrets }, shortTerm, now }: OpenedServer): RepeatDeps => ({
  ...{ secrets, shortTerm, now },
})

/** Carries out a step of a request once: the same browser that asks again gets the first answer. */
export const onceHere = (ctx: ApiContext, server: OpenedServer, carryOut: () => Promise<void>): Promise<void> =>
  oncePerBrowser(repeatsOf(server), ctx, { browser: browserOf(ctx, server.sessions), sent: '' }, carryOut)
