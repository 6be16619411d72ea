import {
  applicationOf,
  connecting,
  connection,
  connectionOf,
  isDisconnected,
} from '../../../domain/account/platform/public.ts'
import { credential } from '../../../domain/account/public.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { SignedIn } from '../../accounts/signed-in.ts'
import { findAfterCatchUp } from '../../read-your-writes.ts'
import { holderText } from '../holder.ts'
import type { OpenedServer } from '../open.ts'
import { type CommandService, carryOut } from '../platform/carry-out.ts'
import { grantOf } from '../platform/platform-records.ts'
import { keepForGood } from '../registration/clients.ts'
import { audienceOf } from '../resources.ts'
import { allowed } from './decision.ts'
import type { OpenWorkspace } from './workspaces.ts'

/** What a person allows, to whom, and where. */
export interface Permission {
  readonly clientId: string
  readonly person: SignedIn
  readonly workspace: OpenWorkspace
  readonly scopes: readonly string[]
  readonly requestId: string
}

export type Granted = ReturnType<typeof allowed>

/** Lets an agent in. It ends with the generation of the person's credentials. */
const grantToAgent = async (server: OpenedServer, { clientId, person, workspace, scopes }: Permission) => {
  const { userId, generation } = person
  const accountId = holderText({ userId, workspaceId: workspace.id, generation })
  const grant = new server.provider.Grant({ accountId, clientId })
  grant.addResourceScope(server.resources.agents, scopes.join(' '))
  const grantId = await grant.save()
  await keepForGood(server, clientId)
  return allowed(accountId, grantId)
}

const byConnection = (held: Document): Granted =>
  allowed(
    holderText({ userId: Number(held.user_id), workspaceId: Number(held.workspace_id), generation: 0 }),
    grantOf(Number(held.id)),
  )

/** Returns the connections of an application that a person has made. */
const connectionsOf = async (
  { everywhere: live }: OpenedServer,
  clientId: string,
  userId: number,
): Promise<readonly Document[]> => {
  const application = await applicationOf(live, clientId)
  const [held, of] = await Promise.all([
    live.find(connection.name, { where: { user_id: userId } }),
    live.get(credential.name, userId),
  ])
  return held.filter((one) => one.platform_application_id === application?.id && !isDisconnected(one, of))
}

/** Connects a platform application. What the person changes about how to sign in leaves it connected. */
const connect = async (server: OpenedServer, permission: Permission): Promise<Granted> => {
  const { clientId, person, workspace, scopes, requestId } = permission
  const { platform, everywhere: live } = server
  const application = await findAfterCatchUp(platform, () => applicationOf(live, clientId))
  const { userId } = person
  const { id: workspaceId, teamId, membershipId } = workspace
  const who = { applicationId: application?.id ?? 0, userId, membershipId, workspaceId }
  const service: CommandService = platform
  await carryOut(service, { teamId, workspaceId, requestId }, (mint) => connecting(mint(connection), who, scopes))
  const held = await findAfterCatchUp(platform, () => connectionOf(live, who))
  if (!held) throw new Error('a connection was made, and is not there')
  return byConnection(held)
}

/** Notes what a person allows. @throws {Refusal} as the rules of connections refuse it */
export const grant = (server: OpenedServer, permission: Permission): Promise<Granted> =>
  audienceOf(permission.clientId) === 'agents' ? grantToAgent(server, permission) : connect(server, permission)

/**
 * Returns what a person has allowed an application before, if that is all that it asks for; `undefined` if the person must be asked. Only an application
 * with a secret may pass, because any program on the same computer can pose as another.
 */
export const grantedBefore = async (
  server: OpenedServer,
  { clientId, clientAuthMethod }: { readonly clientId: string; readonly clientAuthMethod?: string | undefined },
  userId: number,
  scopes: readonly string[],
): Promise<Granted | undefined> => {
  if (audienceOf(clientId) === 'agents' || clientAuthMethod === 'none') return undefined
  const [held, ...others] = await connectionsOf(server, clientId, userId)
  if (!held || others.length > 0) return undefined
  return ((held.scopes ?? []) as readonly string[]).join(' ') === scopes.join(' ') ? byConnection(held) : undefined
}

/** Returns those of a person's workspaces that an application may be connected with. One that is not shared is for its own team alone. */
export const workspacesFor = async (
  { everywhere: live }: OpenedServer,
  clientId: string,
  workspaces: readonly OpenWorkspace[],
): Promise<readonly OpenWorkspace[]> => {
  const application = audienceOf(clientId) === 'agents' ? undefined : await applicationOf(live, clientId)
  if (!application || application.shared) return workspaces
  return workspaces.filter(({ teamId }) => teamId === application.team_id)
}
