import type Provider from 'oidc-provider'
import { isFresh, signInAgainFor } from '../../accounts/proof.ts'
import { type SignedIn, signedIn, signInFor } from '../../accounts/signed-in.ts'
import { tellOwner } from '../../accounts/tell-owner.ts'
import { WORDS } from '../../accounts/words.ts'
import { filled } from '../../html/filled.ts'
import { FORM_TOKEN, isFormBody, isFormToken, isFromHere } from '../../html/forms.ts'
import { answerRedirect } from '../../html/page.ts'
import type { ApiContext } from '../../http/context.ts'
import { type Fields, readFields } from '../body.ts'
import type { OpenedServer } from '../open.ts'
import { answerPage, endedPage, faultPage, noWorkspacePage } from '../pages.ts'
import { AUTHORIZE, CONSENT } from '../paths.ts'
import { shownName } from '../registration/agent-client.ts'
import { audienceOf } from '../resources.ts'
import { scopesIn } from '../scopes.ts'
import { isOfBrowser, noteDecided, onceHere } from './begun.ts'
import { type Consent, consentPage } from './consent-page.ts'
import { DENIED } from './decision.ts'
import { grant, grantedBefore, workspacesFor } from './grants.ts'
import { type OpenWorkspace, workspacesOf } from './workspaces.ts'

type Interaction = InstanceType<Provider['Interaction']>
type Client = InstanceType<Provider['Client']>

/** Request under way, and who decides about it. */
interface Deciding {
  readonly interaction: Interaction
  readonly client: Client
  readonly person: SignedIn
  readonly workspaces: readonly OpenWorkspace[]
}

const PATH = new RegExp(`^${CONSENT}/([\\w-]{1,100})$`)

/** Returns the request that this browser began; `undefined` when it has ended, or another browser began it. */
const interactionOf = async (ctx: ApiContext, server: OpenedServer): Promise<Interaction | undefined> => {
  const [, uid] = PATH.exec(ctx.path) ?? []
  if (uid === undefined || !(await isOfBrowser(ctx, server, uid))) return undefined
  return server.provider.Interaction.find(uid)
}

const localAddress = ({ path, querystring }: ApiContext): string => (querystring ? `${path}?${querystring}` : path)

/** Returns who decides about what. Otherwise it answers: with the sign-in page, or with why there is nothing to decide. */
const deciding = async (ctx: ApiContext, server: OpenedServer): Promise<Deciding | undefined> => {
  const interaction = await interactionOf(ctx, server)
  if (!interaction) {
    answerPage(ctx, endedPage(ctx.querystring ? `${AUTHORIZE}?${ctx.querystring}` : undefined))
    return undefined
  }
  const person = await signedIn(ctx, server.sessions)
  if (!person) {
    answerRedirect(ctx, { to: signInFor(localAddress(ctx)) })
    return undefined
  }
  const client = await server.provider.Client.find(String(interaction.params.client_id))
  if (!client) {
    answerPage(ctx, faultPage(400, 'invalid_client', 'the client is not known'))
    return undefined
  }
  const all = await workspacesOf(server.live, person.userId)
  const workspaces = await workspacesFor(server, client.clientId, all)
  if (workspaces.length > 0) return { interaction, client, person, workspaces }
  answerPage(ctx, noWorkspacePage(all.length > 0))
  return undefined
}

const consentOf = async (
  ctx: ApiContext,
  { live }: OpenedServer,
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

const show = async (ctx: ApiContext, server: OpenedServer, of: Deciding, notice?: string): Promise<void> => {
  const page = consentPage({ ...(await consentOf(ctx, server, of)), ...(notice !== undefined && { notice }) })
  answerPage(ctx, notice === undefined ? page : { ...page, status: 403 })
}

const permissionOf = (ctx: ApiContext, { client, person, interaction }: Deciding, workspace: OpenWorkspace) => ({
  ...{ clientId: client.clientId, person, workspace },
  scopes: scopesIn(interaction.params.scope),
  requestId: ctx.state.requestId,
})

const resumeAfter = async (ctx: ApiContext, server: OpenedServer, { interaction, person }: Deciding): Promise<void> => {
  await noteDecided(ctx, server, interaction.uid, person.digest)
  await interaction.persist()
  answerRedirect(ctx, { to: `${AUTHORIZE}/${interaction.uid}` })
}

/** Notes what a person allows, and tells the person by mail. */
const granted = async (ctx: ApiContext, server: OpenedServer, of: Deciding, workspace: OpenWorkspace) => {
  const result = await grant(server, permissionOf(ctx, of, workspace))
  const name = shownName(of.client.clientName) || of.client.clientId
  tellOwner(server.telling, of.person.userId, filled(WORDS.changed.connected, { name }))
  return result
}

/** Whether the person signed in of late. What is allowed lasts, so a session alone does not allow it. */
const isFreshPerson = ({ now }: OpenedServer, { person }: Deciding): boolean =>
  isFresh(person, new Date(now()).toISOString())

const askAgain = (ctx: ApiContext): void => answerRedirect(ctx, { to: signInAgainFor(localAddress(ctx)) })

const decide = async (ctx: ApiContext, server: OpenedServer, sent: Fields): Promise<void> => {
  const of = await deciding(ctx, server)
  if (!of) return undefined
  if (!isFormToken(String(sent[FORM_TOKEN] ?? ''), of.person.formToken))
    return show(ctx, server, of, 'The form was out of date. Please decide again.')
  const { interaction, workspaces } = of
  const workspace = workspaces.find(({ id }) => String(id) === sent.workspace_id)
  if (sent.decision !== 'deny' && !isFreshPerson(server, of)) return askAgain(ctx)
  if (sent.decision === 'deny') interaction.result = DENIED
  else if (sent.decision === 'allow' && workspace) interaction.result = await granted(ctx, server, of, workspace)
  else return show(ctx, server, of, 'Choose a workspace, and allow or deny.')
  return resumeAfter(ctx, server, of)
}

/** Returns what passes without a click: unless the application wants to be connected anew, or the person to be asked. */
const passing = async (server: OpenedServer, { interaction: { params }, client, person }: Deciding) =>
  params.new_installation === 'true' || params.prompt !== undefined
    ? undefined
    : grantedBefore(server, client, person.userId, scopesIn(params.scope))

/** Serves the page on which somebody allows or denies a request. */
export const serveConsent = async (ctx: ApiContext, server: OpenedServer): Promise<void> => {
  if (ctx.method === 'POST') {
    const sent = isFromHere(ctx) && isFormBody(ctx) ? await readFields(ctx) : {}
    return onceHere(ctx, server, JSON.stringify(sent), () => decide(ctx, server, sent))
  }
  const of = await deciding(ctx, server)
  if (!of) return undefined
  const passed = await passing(server, of)
  if (!passed) return isFreshPerson(server, of) ? show(ctx, server, of) : askAgain(ctx)
  of.interaction.result = passed
  return resumeAfter(ctx, server, of)
}
