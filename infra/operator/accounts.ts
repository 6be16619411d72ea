import { apiKey } from '../../domain/account/api-key.ts'
import { issueKey } from '../../domain/account/issue-key.ts'
import type { Role } from '../../domain/account/roles.ts'
import { membership } from '../../domain/account/team-model.ts'
import { teams } from '../../domain/account/team-rules.ts'
import { user } from '../../domain/account/user.ts'
import { userByAddress } from '../../domain/account/user-by-address.ts'
import { workspaces } from '../../domain/account/workspace.ts'
import { type Ask, ask, within } from '../../domain/kernel/decide/ask.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { type Ids, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { scopeWarnings } from '../../domain/kernel/values/scopes.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

/** Dependencies of the operator's actions on accounts. */
export interface AccountDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly ids: Ids
  readonly now: () => number
  /** Returns what is stored of a token: its digest, and its first characters. */
  readonly storedOf: (token: string) => { readonly hash: string; readonly hint: string }
  /** Returns the token of a new key. */
  readonly newToken: () => string
}

export interface NewTeam {
  readonly name: string
  readonly owner: { readonly email: string; readonly firstName: string; readonly lastName: string }
}

export interface NewKey {
  readonly teamId: number
  readonly workspaceId: number | null
  readonly scopes: readonly string[]
  readonly label: string
  /** The person who makes it; default: the operator. */
  readonly madeById?: number
  /** Default: a random one. */
  readonly token?: string
}

/** A key that has not been revoked. */
export interface OpenKey {
  readonly id: number
  readonly teamId: number
  readonly createdAt: string
}

export interface IssuedKey {
  readonly id: number
  readonly token: string
  /** Warnings where its scopes may be misunderstood. */
  readonly warnings: readonly string[]
}

/** A key as it is listed, without its token. */
export interface KeyListing {
  readonly id: number
  readonly hint: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly workspace_id: number | null
  readonly created_at: string
  readonly revoked_at: string | null
}

/** Returns the actions of the operator, who is not a client of the API: on teams, workspaces and API keys. */
export const accounts = (deps: AccountDeps) => {
  const commands = new OperatorCommands(deps)
  return { ...teamActions(deps, commands), ...workspaceActions(deps, commands), ...keyActions(deps, commands) }
}

export type Accounts = ReturnType<typeof accounts>

interface UserDetails {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly time_zone: null
  readonly locale: string
  readonly platform_agent: boolean
}

/** Commands that are carried out in the name of the operator. */
class OperatorCommands {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /** Returns a new id for a record of this kind. */
  mint(kind: string): Promise<number> {
    const { ids } = this.#deps
    return withIds(ids, () => ids.next(kind))
  }

  /** Carries out a command, and waits until its effect is readable. @throws {Refusal} when it is refused */
  async carryOut(request: Ask, scope: { readonly teamId: number; readonly workspaceId?: number }): Promise<void> {
    await carryOut(this.#deps, request, scope, this.#deps.now())
  }
}

const teamActions = ({ live }: Pick<AccountDeps, 'live'>, commands: OperatorCommands) => {
  /** Registers a user. @returns the id, which is that of another user where the address has just been taken */
  const register = async (teamId: number, details: UserDetails): Promise<number> => {
    const userId = await commands.mint('user')
    try {
      await commands.carryOut(ask(user.aggregate, userId, 'create', details), { teamId })
      return userId
    } catch (error) {
      const taken = error instanceof Refusal ? await userByAddress(details.email, live) : undefined
      if (!taken) throw error
      return taken.id
    }
  }

  const join = async (
    teamId: number,
    { email, firstName: first_name, lastName: last_name }: NewTeam['owner'],
    { platform_agent, role_ids }: { readonly platform_agent: boolean; readonly role_ids: readonly Role[] },
  ) => {
    const details = { email, first_name, last_name, time_zone: null, locale: 'en', platform_agent }
    const userId = (await userByAddress(email, live))?.id ?? (await register(teamId, details))
    const memberId = await commands.mint(membership.name)
    const member = { user_id: userId, platform_agent, role_ids }
    await commands.carryOut(ask(within(teams, teamId, membership), memberId, 'create', member), { teamId })
  }

  return {
    /** Creates a team with its owner, who may be the user of another one already, and the agent that its API keys act as. @returns the team's id */
    async foundTeam({ name, owner }: NewTeam): Promise<number> {
      const teamId = await commands.mint('team')
      await commands.carryOut(ask(teams, teamId, 'create', { name }), { teamId })
      const agent = { email: `api-${teamId}@millrace.invalid`, firstName: 'API', lastName: name }
      await join(teamId, owner, { platform_agent: false, role_ids: ['admin'] })
      await join(teamId, agent, { platform_agent: true, role_ids: [] })
      return teamId
    },
  }
}

const workspaceActions = ({ live }: Pick<AccountDeps, 'live'>, commands: OperatorCommands) => ({
  /** Creates a workspace. @returns its id @throws {Refusal} invalid, when the subdomain is taken */
  async openWorkspace(
    teamId: number,
    workspace: {
      readonly name: string
      readonly subdomain: string
      readonly currency: string
      /** Whether its clock can be advanced; cannot be changed later. */
      readonly test?: boolean
    },
  ): Promise<number> {
    const workspaceId = await commands.mint('workspace')
    await commands.carryOut(ask(workspaces, workspaceId, 'create', workspace), { teamId, workspaceId })
    return workspaceId
  },

  /** Lists the workspaces of this installation. */
  async workspaces(): Promise<
    readonly { readonly id: number; readonly team_id: number; readonly name: string; readonly subdomain: string }[]
  > {
    const found = await live.find('workspace', { where: {} })
    return found.map((one) => ({
      id: Number(one.id),
      team_id: Number(one.team_id),
      name: String(one.name),
      subdomain: String(one.subdomain),
    }))
  },
})

const keyActions = (
  { live, storedOf, newToken }: Pick<AccountDeps, 'live' | 'storedOf' | 'newToken'>,
  commands: OperatorCommands,
) => ({
  /** Issues a key. Only this answer contains the token. @throws {Refusal} not found, when the team has no agent */
  async issueKey({ teamId, workspaceId, scopes, label, madeById, token = newToken() }: NewKey): Promise<IssuedKey> {
    const id = await commands.mint('api_key')
    const asked = await issueKey(
      id,
      { teamId, workspaceId, scopes, label, ...storedOf(token), madeById: madeById ?? null },
      live,
    )
    if (asked instanceof Refusal) throw asked
    await commands.carryOut(asked, { teamId })
    return { id, token, warnings: scopeWarnings(scopes) }
  },

  /** Lists the keys of a team, newest last. */
  async keys(teamId: number): Promise<readonly KeyListing[]> {
    const found = await live.find('api_key', { where: { team_id: teamId } })
    return found.map((key) => ({
      id: Number(key.id),
      hint: String(key.hint),
      label: String(key.label),
      scopes: key.scopes as readonly string[],
      workspace_id: key.only_workspace_id as number | null,
      created_at: String(key.created_at),
      revoked_at: key.revoked_at as string | null,
    }))
  },

  /** Lists the valid keys with a label, of a team or of all. */
  async openKeys(label: string, teamId?: number): Promise<readonly OpenKey[]> {
    const found = await live.find('api_key', { where: teamId === undefined ? {} : { team_id: teamId } })
    return found
      .filter((key) => key.label === label && !key.revoked_at)
      .map((key) => ({ id: Number(key.id), teamId: Number(key.team_id), createdAt: String(key.created_at) }))
  },

  /** Revokes a key from the next request on. @throws {Refusal} not found */
  async revokeKey(id: number): Promise<void> {
    const key = await live.get('api_key', id)
    if (!key) throw refuse.notFound('No such API key')
    await commands.carryOut(ask(apiKey.aggregate, id, 'change', { hash: null }), { teamId: Number(key.team_id) })
  },
})
