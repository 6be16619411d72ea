import type { KoaContextWithOIDC } from 'oidc-provider'
import type { ApiContext } from '../http/context.ts'
import type { FailedAttempts } from '../http/failed-attempts.ts'
import { LONGEST_ECHO } from '../http/location.ts'
import { answerError } from './answers.ts'
import { asForm, fieldsOfForm, readFields, replaceBody } from './body.ts'
import { asksIn, isOfDecider, knownBrowser, noteBegun, onceHere } from './consent/begun.ts'
import { dropCookies, LIBRARY_COOKIES, showCookies } from './consent/cookies.ts'
import { holderIn } from './holder.ts'
import type { OpenedServer } from './open.ts'
import { answerLeaving, answerPage, endedPage, faultPage } from './pages.ts'
import { AUTHORIZE } from './paths.ts'
import { isAgent } from './registration/agent-client.ts'
import { keepWhileRunning } from './registration/clients.ts'
import { authorizationMeant, clientIdOf, isBrokenCredential, tokenRequestMeant } from './requests.ts'
import { placeFields } from './token-answer.ts'

/** Context of a request that the library has answered. */
type Answered = ApiContext & { readonly oidc?: KoaContextWithOIDC['oidc'] }

const nothing = async (): Promise<void> => undefined

/** Has the library answer a request. */
const answerBy = async (ctx: Answered, { provider, issuer }: OpenedServer): Promise<void> => {
  ctx.cookies.secure = issuer.startsWith('https:')
  const [answer] = provider.middleware
  await answer?.(ctx, nothing)
}

/** Begins an authorization. Parameters that mean nothing here are left out, and scopes and addresses are written as they are here. */
export const authorize = async (ctx: ApiContext, server: OpenedServer): Promise<void> => {
  const sent = fieldsOfForm(ctx.querystring)
  if (!['', 'query'].includes(sent.response_mode?.toString() ?? ''))
    return answerPage(ctx, faultPage(400, 'invalid_request', 'response_mode can only be query'))
  const fields = authorizationMeant(sent, server.resources)
  const meant = asForm(fields)
  if (meant.length > LONGEST_ECHO) return answerPage(ctx, faultPage(400, 'invalid_request', 'the request is too long'))
  ctx.querystring = meant
  const { client_id: clientId } = fields
  if (typeof clientId === 'string' && isAgent(clientId)) await keepWhileRunning(server, clientId)
  const browser = knownBrowser(ctx, server)
  showCookies(ctx, {})
  await answerBy(ctx, server)
  dropCookies(ctx)
  if (typeof clientId === 'string' && isAgent(clientId)) keepHere(ctx)
  await noteBegun(ctx, server, browser)
}

/**
 * Shows on our own page what an agent would have been told at its address. Anybody can register an agent, and nobody has decided about this one yet: it
 * could send people on from our address to any other (RFC 9700, 4.11.2).
 */
const keepHere = (ctx: ApiContext): void => {
  const target = ctx.response.get('Location')
  if (ctx.status !== 303 || target === '' || asksIn(target) !== undefined) return
  const { search, hash } = new URL(target)
  // The library answers a response type that it does not know in the fragment.
  const said = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`)
  const error = said.get('error')
  if (error === null) return
  ctx.remove('Location')
  answerPage(ctx, faultPage(400, error, said.get('error_description') ?? ''))
}

/** Ends an authorization that was allowed or denied: the browser and the session in which that was done go on to the application. */
export const resume = async (ctx: ApiContext, server: OpenedServer): Promise<void> => {
  const uid = ctx.path.slice(AUTHORIZE.length + 1)
  if (!(await isOfDecider(ctx, server, uid))) return answerPage(ctx, endedPage(undefined))
  await onceHere(ctx, server, () => goOn(ctx, server, uid))
}

const goOn = async (ctx: ApiContext, server: OpenedServer, uid: string): Promise<void> => {
  showCookies(ctx, { [LIBRARY_COOKIES.resume]: uid })
  await answerBy(ctx, server)
  dropCookies(ctx)
  const target = ctx.response.get('Location')
  if (ctx.status !== 303 || target === '') return
  ctx.remove('Location')
  answerLeaving(ctx, target)
}

const entitiesOf = ({ oidc }: Answered) => oidc?.entities

/** Adds to the answer of an exchange when it was made, and for which workspace. */
const addPlace = async (ctx: Answered, { everywhere: live, issuer, now }: OpenedServer): Promise<void> => {
  const holder = holderIn(entitiesOf(ctx)?.AccessToken?.accountId)
  const { workspaceId = null } = holder ?? {}
  const workspace = workspaceId === null ? undefined : await live.get('workspace', workspaceId)
  if (!workspace) return
  const place = { teamId: Number(workspace.team_id), workspaceId }
  ctx.body = {
    ...(ctx.body as object),
    created_at: Math.floor(now() / 1000),
    ...(await placeFields(live, place, issuer)),
  }
}

/** Reads a request of a program, and has the library answer it. Wrong secrets are counted by address. */
const answerFields = async (ctx: ApiContext, server: OpenedServer, failed: FailedAttempts): Promise<void> => {
  failed.check(ctx)
  if (isBrokenCredential(ctx.headers.authorization)) {
    failed.count(ctx)
    ctx.set('WWW-Authenticate', `Basic realm="${server.issuer}", error="invalid_client"`)
    return answerError(ctx, 401, 'invalid_client', 'the header Authorization must be Basic with an id and a secret')
  }
  const fields = await readFields(ctx)
  const clientId = clientIdOf(ctx.headers.authorization, fields)
  replaceBody(ctx, asForm(tokenRequestMeant(fields, clientId, server.resources)))
  // The library would answer browsers with a page.
  ctx.req.headers.accept = 'application/json'
  await answerBy(ctx, server)
  ctx.set('Cache-Control', 'no-store')
  if (ctx.status === 401) failed.count(ctx)
}

/** Exchanges a code or a refresh token for tokens. */
export const exchange = async (ctx: ApiContext, server: OpenedServer, failed: FailedAttempts): Promise<void> => {
  await answerFields(ctx, server, failed)
  if (ctx.status === 200) await addPlace(ctx, server)
}

/** Revokes a token (RFC 7009). */
export const revoke = answerFields
