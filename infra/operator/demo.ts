import { setTimeout as sleep } from 'node:timers/promises'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { Accounts, OpenKey } from './accounts.ts'
import type { Shop } from './demo-client.ts'
import { furnishDemo } from './demo-shop.ts'

export interface Demo {
  readonly workspaceId: number
  /** `null` unless it was just created, because a token is shown once. */
  readonly apiKey: string | null
  /** Key by which the workspace is to be filled; absent where it is filled, or was not made for a demo. */
  readonly setUp?: SetUpKey
}

/** The key by which a demo is filled. While it is valid, the demo is not complete: the process that filled it was killed, or is still at it. */
interface SetUpKey extends OpenKey {
  readonly token: string
}

export interface DemoDeps {
  readonly accounts: Accounts
  readonly secrets: Secrets
  /** Whether the workspace is filled. */
  readonly isFilled: boolean
}

const SET_UP = 'Demo set-up'
const OF_OWNER = 'Demo key'
const SCOPES = ['read', 'write']
/** Requests are repeatable for thirty days. What was not filled by then stays as it is. */
const REPEATABLE_MS = 29 * 24 * 60 * 60 * 1000
const LOOK_MS = 50
const PATIENCE_MS = 10_000

/** Creates the access to the key by which the demo of a team is filled. Its token is derived, so that the next process has it, too. */
const setUpKeys = ({ accounts, secrets }: DemoDeps) => {
  const tokenOf = (teamId: number) => `mr_${Buffer.from(secrets.derive('demo', String(teamId))).toString('base64url')}`
  const withToken = (key: OpenKey): SetUpKey => ({ ...key, token: tokenOf(key.teamId) })
  return {
    /** Returns the key of a team, or of any, which is still valid. */
    async open(teamId?: number): Promise<SetUpKey | undefined> {
      const since = new Date(Date.now() - REPEATABLE_MS).toISOString()
      const found = await accounts.openKeys(SET_UP, teamId)
      return found.filter(({ createdAt }) => createdAt > since).map(withToken)[0]
    },
    async issue(teamId: number): Promise<SetUpKey> {
      const token = tokenOf(teamId)
      const { id } = await accounts.issueKey({ teamId, workspaceId: null, scopes: SCOPES, label: SET_UP, token })
      return withToken({ id, teamId, createdAt: '' })
    },
  }
}

const issueOwners = async (accounts: Accounts, teamId: number, workspaceId: number): Promise<string> =>
  (await accounts.issueKey({ teamId, workspaceId, scopes: SCOPES, label: OF_OWNER })).token

/** Returns the demo that is there, with what a process that was killed has left to do. */
const resumed = async (
  deps: DemoDeps,
  { id: workspaceId, team_id }: { readonly id: number; readonly team_id: number },
): Promise<Demo> => {
  const { accounts, isFilled } = deps
  const setUp = isFilled ? await setUpKeys(deps).open(team_id) : undefined
  if (!setUp) return { workspaceId, apiKey: null }
  const isIssued = (await accounts.keys(team_id)).some(({ label }) => label === OF_OWNER)
  return { workspaceId, apiKey: isIssued ? null : await issueOwners(accounts, team_id, workspaceId), setUp }
}

/** Returns the workspace that another process has made at the same moment. @throws {Error} when it cannot be read in time */
const madeByAnother = async ({ accounts }: DemoDeps, teamId: number, setUp?: SetUpKey): Promise<Demo> => {
  for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS; await sleep(LOOK_MS)) {
    const [first] = await accounts.workspaces()
    if (!first) continue
    if (setUp && first.team_id !== teamId) await accounts.revokeKey(setUp.id)
    return { workspaceId: first.id, apiKey: null }
  }
  throw new Error('the workspace that another process has made cannot be read')
}

/** Returns the first workspace. On an empty installation it creates one, with a team and a key that may do everything. */
export const ensureDemo = async (deps: DemoDeps): Promise<Demo> => {
  const { accounts, isFilled } = deps
  const [first] = await accounts.workspaces()
  if (first) return resumed(deps, first)
  const keys = setUpKeys(deps)
  const begun = isFilled ? await keys.open() : undefined
  const teamId =
    begun?.teamId ??
    (await accounts.foundTeam({
      name: 'Demo team',
      owner: { email: 'owner@example.com', firstName: 'Demo', lastName: 'Owner' },
    }))
  const setUp = isFilled ? (begun ?? (await keys.issue(teamId))) : undefined
  try {
    // Its clock can be advanced, and its mail reaches nobody, whatever is configured.
    const demo = { name: 'Demo workspace', subdomain: 'demo', currency: 'USD', test: isFilled }
    const workspaceId = await accounts.openWorkspace(teamId, demo)
    return { workspaceId, apiKey: await issueOwners(accounts, teamId, workspaceId), ...(setUp && { setUp }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    return madeByAnother(deps, teamId, setUp)
  }
}

/**
 * Fills the workspace of a demo, once: what a former process has done is not done again, whatever has become of it.
 *
 * @throws {Error} when something is refused or takes too long. It is not tried again
 */
export const fillDemo = async (
  accounts: Accounts,
  { workspaceId, setUp }: Demo,
  { isStopping, ...shop }: Pick<Shop, 'api' | 'requestId' | 'sharesSender'> & { isStopping(): boolean },
): Promise<void> => {
  if (!setUp) return
  const isOpen = async () => (await accounts.openKeys(SET_UP, setUp.teamId)).some(({ id }) => id === setUp.id)
  try {
    await furnishDemo({ ...shop, workspaceId, apiKey: setUp.token })
  } catch (error) {
    // Another process that filled it as well has come to the end.
    if (isStopping() || !(await isOpen())) return
    await accounts.revokeKey(setUp.id)
    throw error
  }
  if (!isStopping() && (await isOpen())) await accounts.revokeKey(setUp.id)
}
