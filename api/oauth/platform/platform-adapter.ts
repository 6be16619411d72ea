import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'
import {
  disconnecting,
  issuing,
  type PlatformTokenRecord,
  platformToken,
  revoking,
  tokenOf,
} from '../../../domain/account/platform/public.ts'
import type { Ask } from '../../../domain/kernel/decide/ask.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { MintId } from '../../../domain/kernel/values/ids.ts'
import { hashToken } from '../../token-hash.ts'
import { scopesIn } from '../scopes.ts'
import { carryOut } from './carry-out.ts'
import { isKey, ownTokenPayload, revokeOwnToken } from './own-tokens.ts'
import { connectionIn, connectionOf, grantPayload, type PlatformDeps, tokenPayload } from './platform-records.ts'

const nothing = async () => undefined

/** Whether an application has asked to revoke a token. Otherwise tokens are revoked for what came with them. */
const isAskedFor = (): boolean => Provider.ctx?.oidc.route === 'revocation'

const KINDS: Readonly<Record<string, PlatformTokenRecord['kind']>> = { AccessToken: 'access', RefreshToken: 'refresh' }

/** Carries out a command about a connection. */
const about = (
  { service }: PlatformDeps,
  { team_id, workspace_id }: Document,
  asking: (mint: MintId) => Ask,
): Promise<void> => {
  const requestId = String(Provider.ctx?.state.requestId ?? 'oauth')
  return carryOut(service, { teamId: Number(team_id), workspaceId: Number(workspace_id), requestId }, asking)
}

const issue = async (deps: PlatformDeps, model: string, id: string, payload: AdapterPayload): Promise<void> => {
  const kind = KINDS[model]
  const held = kind && (await connectionOf(deps, connectionIn(payload.grantId) ?? 0))
  if (!kind || !held) throw new Error('a token of a platform application needs its connection')
  const of = { id: Number(held.id), workspace_id: Number(held.workspace_id) }
  const token = { hash: hashToken(id), kind, scopes: scopesIn(payload.scope) }
  await about(deps, held, (mint) => issuing(of, mint(platformToken), token))
}

const revokeToken = async (deps: PlatformDeps, id: string): Promise<void> => {
  const token = await tokenOf(deps.service.everywhere, hashToken(id))
  const held = token && (await connectionOf(deps, token.connection_id))
  if (token && held) await about(deps, held, () => revoking(token))
}

/** Revokes all tokens of a connection, but leaves the connection: its person need not agree again. */
const revokeAll = async (deps: PlatformDeps, connectionId: number): Promise<void> => {
  const held = await connectionOf(deps, connectionId)
  const tokens = await deps.service.everywhere.find(platformToken.name, { where: { connection_id: connectionId } })
  if (!held) return
  for (const { id } of tokens) await about(deps, held, () => revoking({ id: Number(id), connection_id: connectionId }))
}

/** Returns the adapter of what belongs to platform applications: connections stand for grants, and tokens are records of the log. */
export const platformAdapter =
  (deps: PlatformDeps) =>
  (model: string): Adapter => ({
    async find(id) {
      if (isKey(id)) return model === 'AccessToken' ? ownTokenPayload(deps.service, id) : undefined
      return model === 'Grant' ? grantPayload(deps, id) : tokenPayload(deps, model, id)
    },
    upsert: (id, payload) => issue(deps, model, id, payload),
    async destroy(id) {
      if (isKey(id)) return revokeOwnToken(deps.service, id)
      if (model !== 'Grant') return revokeToken(deps, id)
      const held = isAskedFor() ? await connectionOf(deps, connectionIn(id) ?? 0) : undefined
      if (held) await about(deps, held, () => disconnecting(held))
    },
    async revokeByGrantId(grantId) {
      if (model === 'AccessToken' && !isAskedFor()) await revokeAll(deps, connectionIn(grantId) ?? 0)
    },
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
  })
