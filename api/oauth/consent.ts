import type Provider from 'oidc-provider'
import { type SessionService, type SignedIn, signedIn, signInFor } from '../accounts/signed-in.ts'
import { FORM_TOKEN, isFormBody, isFormToken, isFromHere } from '../html/forms.ts'
import { answerRedirect } from '../html/page.ts'
import type { ApiContext } from '../http/context.ts'
import { readFields } from './body.ts'
import { keepForGood } from './clients.ts'
import { type Consent, consentPage } from './consent-page.ts'
import { allowed, DENIED } from './decision.ts'
import type { OAuthDeps } from './deps.ts'
import { holderText } from './holder.ts'
import { answerPage, endedPage, faultPage } from './pages.ts'
import { AUTHORIZE, CONSENT } from './paths.ts'
import { audienceOf, resourceOf } from './resources.ts'
import { scopesIn } from './scopes.ts'
import { type OpenWorkspace, workspacesOf } from './workspaces.ts'

type Interaction = InstanceType<Provider['Interaction']>
type Client = InstanceType<Provider['Client']>

export interface ConsentDeps extends OAuthDeps {
  readonly provider: Provider
  readonly sessions: SessionService
}

/** Request under way, and who decides about it. */
interface Deciding {
  readonly interaction: Interaction
  readonly client: Client
  readonly person: SignedIn
  readonly workspaces: readonly OpenWorkspace[]
}

const COOKIE = 'mr_oauth_request'
const PATH = new RegExp(`^${CONSENT}/([\\w-]{1,100})$`)

/** Returns the request that this browser began; `undefined` when it has ended, or another browser began it. */
const interactionOf = async (ctx: ApiContext, provider: Provider): Promise<Interaction | undefined> => {
  const [, uid] = PATH.exec(ctx.path) ?? []
  if (uid === undefined || ctx.cookies.get(COOKIE) !== uid) return undefined
  return provider.Interaction.find(uid)
}

const localAddress = ({ path, querystring }: ApiContext): string => (querystring ? `${path}?${querystring}` : path)

/** Returns who decides about what. Otherwise it answers: with the sign-in page, or with why there is nothing to decide. */
const deciding = async (ctx: ApiContext, deps: ConsentDeps): Promise<Deciding | undefined> => {
  const interaction = await interactionOf(ctx, deps.provider)
  if (!interaction) {
    answerPage(ctx, endedPage(ctx.querystring ? `${AUTHORIZE}?${ctx.querystring}` : undefined))
    return undefined
  }
  const person = await signedIn(ctx, deps.sessions)
  if (!person) {
    answerRedirect(ctx, { to: signInFor(localAddress(ctx)) })
    return undefined
  }
  const client = await deps.provider.Client.find(String(interaction.params.client_id))
  if (!client) {
    answerPage(ctx, faultPage(400, 'invalid_client', 'the client is not known'))
    return undefined
  }
  return { interaction, client, person, workspaces: await workspacesOf(deps.live, person.userId) }
}

const consentOf = async (
  ctx: ApiContext,
  { live }: ConsentDeps,
  { interaction: { params }, client, person, workspaces }: Deciding,
): Promise<Consent> => {
  const user = await live.get('user', person.userId)
  return {
    clientId: client.clientId,
    clientName: client.clientName,
    audience: audienceOf(client.clientId),
    redirectUri: String(params.redirect_uri),
    scopes: scopesIn(params.scope),
    workspaces,
    action: localAddress(ctx),
    formToken: person.formToken,
    email: String(user?.email ?? ''),
  }
}

const show = async (ctx: ApiContext, deps: ConsentDeps, of: Deciding, notice?: string): Promise<void> => {
  const page = consentPage({ ...(await consentOf(ctx, deps, of)), ...(notice !== undefined && { notice }) })
  answerPage(ctx, notice === undefined ? page : { ...page, status: 403 })
}

/** Notes what an agent may do from now on. @returns the id of the grant */
const grantTo = async (deps: ConsentDeps, { interaction, client }: Deciding, accountId: string): Promise<string> => {
  const grant = new deps.provider.Grant({ accountId, clientId: client.clientId })
  grant.addResourceScope(resourceOf(client.clientId, deps.resources), scopesIn(interaction.params.scope).join(' '))
  const grantId = await grant.save()
  await keepForGood(deps, client.clientId)
  return grantId
}

const allow = async (deps: ConsentDeps, of: Deciding, workspaceId: number) => {
  const { userId, generation } = of.person
  const accountId = holderText({ userId, workspaceId, generation })
  return allowed(accountId, await grantTo(deps, of, accountId))
}

const decide = async (ctx: ApiContext, deps: ConsentDeps, of: Deciding): Promise<void> => {
  const sent = isFromHere(ctx) && isFormBody(ctx) ? await readFields(ctx) : {}
  if (!isFormToken(String(sent[FORM_TOKEN] ?? ''), of.person.formToken))
    return show(ctx, deps, of, 'The form was out of date. Please decide again.')
  const { interaction, workspaces } = of
  const workspace = workspaces.find(({ id }) => String(id) === sent.workspace_id)
  if (sent.decision === 'deny') interaction.result = DENIED
  else if (sent.decision === 'allow' && workspace) interaction.result = await allow(deps, of, workspace.id)
  else return show(ctx, deps, of, 'Choose a workspace, and allow or deny.')
  await interaction.persist()
  answerRedirect(ctx, { to: `${AUTHORIZE}/${interaction.uid}` })
}

/** Serves the page on which somebody allows or denies a request. */
export const serveConsent = async (ctx: ApiContext, deps: ConsentDeps): Promise<void> => {
  const of = await deciding(ctx, deps)
  if (!of) return
  if (ctx.method === 'POST') await decide(ctx, deps, of)
  else await show(ctx, deps, of)
}
