import type { Accounts } from './accounts.ts'

export interface Demo {
  readonly workspaceId: number
  /** `null` unless it was just created, because a token is shown once. */
  readonly apiKey: string | null
}

/** Returns the first workspace. On an empty installation it creates one, with a team and a key that may do everything. */
export const ensureDemo = async (accounts: Accounts): Promise<Demo> => {
  const [first] = await accounts.workspaces()
  if (first) return { workspaceId: first.id, apiKey: null }
  const teamId = await accounts.foundTeam({
    name: 'Demo team',
    owner: { email: 'owner@example.com', firstName: 'Demo', lastName: 'Owner' },
  })
  const workspaceId = await accounts.openWorkspace(teamId, {
    name: 'Demo workspace',
    subdomain: 'demo',
    currency: 'USD',
  })
  const { token } = await accounts.issueKey({ teamId, workspaceId, scopes: ['read', 'write'], label: 'Demo key' })
  return { workspaceId, apiKey: token }
}
