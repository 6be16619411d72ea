import type Provider from 'oidc-provider'
import { isSecure } from '../../accounts/cookies.ts'
import { isFresh, signInAgainFor } from '../../accounts/proof.ts'
import { type SignedIn, signedIn, signInFor } from '../../accounts/signed-in.ts'
import { tellOwner } from '../../accounts/tell-owner.ts'
import { WORDS } from '../../accounts/words.ts'
import { filled } from '../../html/filled.ts'
import { FORM_TOKEN, isFormToken } from '../../html/forms.ts'
import type { Page, Redirect } from '../../html/page.ts'
import type { WithBody } from '../../http/bodies-of-strangers.ts'
import type { ApiContext } from '../../http/context.ts'
import { pageApp } from '../../page-app/app.ts'
import type { AnswerOf, PageRequest, PageRoute, ShownPage } from '../../page-app/route.ts'
import type { OpenedServer } from '../open.ts'
import { answerPage, endedPage, faultPage, noWorkspacePage } from '../pages.ts'
import { AUTHORIZE, CONSENT } from '../paths.ts'
import { shownName } from '../registration/agent-client.ts'
import { audienceOf } from '../resources.ts'
import { scopesIn } from '../scopes.ts'
import { isOfBrowser, noteDecided, repeatsOf } from './begun.ts'
import { consentPage } from './consent-page.ts'
import { DENIED } from './decision.ts'
import { grant, grantedBefore, workspacesFor } from './grants.ts'
import { type OpenWorkspace, workspacesOf } from './workspaces.ts'

type Interaction = InstanceType<Provider['Interaction']>
type Client = InstanceType<Provider['Client']>

interface ConsentRequest extends PageRequest {
  readonly server: OpenedServer
}

type Answer = AnswerOf<ShownPage>

/** Request under way, and who decides about it. */
interface Deciding {
  readonly interaction: Interaction
  readonly client: Client
  readonly person: SignedIn
  readonly workspaces: readonly OpenWorkspace[]
}

const MOST_BYTES = 64 * 1024
const PATH = new RegExp(`^${CONSENT}/([\\w-]{1,100})$`)

/** Returns the request that this browser began; `undefined` when it has ended, or another browser began it. */
const interactionOf = async (ctx: ApiContext, server: OpenedServer): Promise<Interaction | undefined> => {
  const [, uid] = PATH.exec(ctx.path) ?? []
  if (uid === undefined || !(await isOfBrowser(ctx, server, uid))) return undefined
  return server.provider.Interaction.find(uid)
}

const localAddress = ({ path, querystring }: ApiContext): string => (querystring ? `${path}?${querystring}` : path)

/** Returns who decides about what; otherwise what the request is answered with: the sign-in page, or why there is nothing to decide. */
const deciding = async ({ ctx, server }: ConsentRequest): Promise<Deciding | Page | Redirect> => {
  const interaction = await interactionOf(ctx, server)
  if (!interaction) return endedPage(ctx.querystring ? `${AUTHORIZE}?${ctx.querystring}` : undefined)
  const person = await signedIn(ctx, server.sessions)
  if (!person) return { to: signInFor(localAddress(ctx)) }
  const client = await server.provider.Client.find(String(interaction.params.client_id))
  if (!client) return faultPage(400, 'invalid_client', 'the client is not known')
  const all = await workspacesOf(server.everywhere, person.userId)
  const workspaces = await workspacesFor(server, client.clientId, all)
  return workspaces.length > 0 ? { interaction, client, person, workspaces } : noWorkspacePage(all.length > 0)
}

const isDeciding = (found: Deciding | Page | Redirect): found is Deciding => 'interaction' in found

/** Returns the page that asks. @param notice says why it asks once more */
const pageOf = async (
  { ctx, server }: ConsentRequest,
  { interaction: { params }, client, person, workspaces }: Deciding,
  notice?: string,
): Promise<Page> => {
  const user = await server.everywhere.get('user', person.userId)
  const page = consentPage({
    clientId: client.clientId,
    clientName: client.clientName,
    audience: audienceOf(client.clientId),
    redirectUri: String(params.redirect_uri),
    scopes: scopesIn(params.scope),
    workspaces,
    action: localAddress(ctx),
    formToken: person.formToken,
    email: String(user?.email ?? ''),
    notice,
  })
  return notice === undefined ? page : { ...page, status: 403 }
}

const permissionOf = (ctx: ApiContext, { client, person, interaction }: Deciding, workspace: OpenWorkspace) => ({
  ...{ clientId: client.clientId, person, workspace },
  scopes: scopesIn(interaction.params.scope),
  requestId: ctx.state.requestId,
})

const resumeAfter = async ({ ctx, server }: ConsentRequest, { interaction, person }: Deciding): Promise<Redirect> => {
  await noteDecided(ctx, server, interaction.uid, person.digest)
  await interaction.persist()
  return { to: `${AUTHORIZE}/${interaction.uid}` }
}

/** Notes what a person allows, and tells the person by mail. */
const granted = async ({ ctx, server }: ConsentRequest, of: Deciding, workspace: OpenWorkspace) => {
  const result = await grant(server, permissionOf(ctx, of, workspace))
  const name = shownName(of.client.clientName) || of.client.clientId
  tellOwner(server.telling, of.person.userId, filled(WORDS.changed.connected, { name }))
  return result
}

/** Whether the person signed in of late. What is allowed lasts, so a session alone does not allow it. */
const isFreshPerson = ({ server: { now } }: ConsentRequest, { person }: Deciding): boolean =>
  isFresh(person, new Date(now()).toISOString())

const askAgain = ({ ctx }: ConsentRequest): Redirect => ({ to: signInAgainFor(localAddress(ctx)) })

const expired = async (request: ConsentRequest): Promise<Answer> => {
  const of = await deciding(request)
  return isDeciding(of) ? pageOf(request, of, 'The form was out of date. Please decide again.') : of
}

const decide = async (request: ConsentRequest, sent: URLSearchParams): Promise<Answer> => {
  const of = await deciding(request)
  if (!isDeciding(of)) return of
  if (!isFormToken(sent.get(FORM_TOKEN), of.person.formToken)) return expired(request)
  const { interaction, workspaces } = of
  const decision = sent.get('decision')
  const workspace = workspaces.find(({ id }) => String(id) === sent.get('workspace_id'))
  if (decision !== 'deny' && !isFreshPerson(request, of)) return askAgain(request)
  if (decision === 'deny') interaction.result = DENIED
  else if (decision === 'allow' && workspace) interaction.result = await granted(request, of, workspace)
  else return pageOf(request, of, 'Choose a workspace, and allow or deny.')
  return resumeAfter(request, of)
}

/** Returns what passes without a click: unless the application wants to be connected anew, or the person to be asked. */
const passing = async ({ server }: ConsentRequest, { interaction: { params }, client, person }: Deciding) =>
  params.new_installation === 'true' || params.prompt !== undefined
    ? undefined
    : grantedBefore(server, client, person.userId, scopesIn(params.scope))

const show = async (request: ConsentRequest): Promise<Answer> => {
  const of = await deciding(request)
  if (!isDeciding(of)) return of
  const passed = await passing(request, of)
  if (!passed) return isFreshPerson(request, of) ? pageOf(request, of) : askAgain(request)
  of.interaction.result = passed
  return resumeAfter(request, of)
}

/** Creates what serves the page on which somebody allows or denies a request. */
export const consentPages = (withBody: WithBody) => {
  const serve = pageApp<ConsentRequest, ShownPage, PageRoute<ConsentRequest>>({
    // Its form names the session in its token, which is looked at when it is known what is decided.
    routes: [{ path: PATH, audience: 'everybody', isOnce: true, show, take: decide, expired }],
    ...{ withBody, mostBytes: MOST_BYTES },
    words: () => WORDS,
    answerPage: ({ ctx }, page) => answerPage(ctx, page),
  })
  return (ctx: ApiContext, server: OpenedServer): Promise<void> =>
    serve({ ctx, server, service: repeatsOf(server), isSecure: isSecure(server.sessions), formToken: undefined })
}
