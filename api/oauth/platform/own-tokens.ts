import Provider, { type AdapterPayload } from 'oidc-provider'
import { applicationOf, isOfFormerSecret, platformApplication } from '../../../domain/account/platform/public.ts'
import { apiKey, issueKey } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { withIds } from '../../../domain/kernel/values/ids.ts'
import { findAfterCatchUp } from '../../read-your-writes.ts'
import { hashToken, newKeyToken, storedOf } from '../../token-hash.ts'
import { carryOut } from './carry-out.ts'
import { NEVER, type PlatformService } from './platform-records.ts'

/** What begins a key. One that an application got for its own team is a key like those of the operator. */
const KEY = 'mr_'
/** Keys that an application has at once. The oldest makes room for the next. */
const MOST_KEYS = 50

export const isKey = (token: string): boolean => token.startsWith(KEY)

const requestId = (): string => String(Provider.ctx?.state.requestId ?? 'oauth')

const validKeys = ({ everywhere: live }: PlatformService, applicationId: number): Promise<readonly Document[]> =>
  Promise.resolve(live.find('api_key', { where: { platform_application_id: applicationId, hash: { $ne: null } } }))

const revoke = (service: PlatformService, key: Document): Promise<void> =>
  carryOut(service, { teamId: Number(key.team_id), requestId: requestId() }, () =>
    ask(apiKey.aggregate, Number(key.id), 'change', { hash: null }),
  )

/** Token that an application got for its own team. */
export interface OwnToken {
  readonly token: string
  readonly teamId: number
}

/** Issues a token to an application for the team that owns it: a key for all workspaces of the team. It does not expire. */
export const issueOwnToken = async (
  service: PlatformService,
  clientId: string,
  scopes: readonly string[],
): Promise<OwnToken> => {
  const application = await applicationOf(service.everywhere, clientId)
  if (!application) throw new Error('a client that has proved itself is there')
  const { id: applicationId, name, team_id } = application
  const teamId = Number(team_id)
  const token = newKeyToken()
  const key = {
    teamId,
    workspaceId: null,
    scopes,
    label: name,
    ...storedOf(token),
  }
  const id = await withIds(service.ids, () => service.ids.next('api_key'))
  const issuing = await issueKey(id, { ...key, madeById: null, applicationId }, service.everywhere)
  if (issuing instanceof Error) throw issuing
  const older = await validKeys(service, applicationId)
  await carryOut(service, { teamId, requestId: requestId() }, () => ({ ...issuing, isNew: true }))
  for (const one of older.slice(0, Math.max(0, older.length + 1 - MOST_KEYS))) await revoke(service, one)
  return { token, teamId }
}

const keyOf = async (service: PlatformService, token: string): Promise<Document | undefined> => {
  const look = async () =>
    (await service.everywhere.find('api_key', { where: { hash: hashToken(token) }, limit: 1 }))[0]
  const key = await findAfterCatchUp(service, look)
  return typeof key?.platform_application_id === 'number' ? key : undefined
}

/** Returns a token that an application got for its own team, as the library takes it. The keys of the operator are none of its. */
export const ownTokenPayload = async (service: PlatformService, token: string): Promise<AdapterPayload | undefined> => {
  const key = await keyOf(service, token)
  const application =
    key && (await service.everywhere.get(platformApplication.name, Number(key.platform_application_id)))
  if (!key || !application || isOfFormerSecret(key, application)) return undefined
  const iat = Math.floor(Date.parse(String(key.created_at)) / 1000)
  return { kind: 'AccessToken', jti: token, clientId: String(application.client_id), iat, exp: NEVER }
}

/** Revokes a token that an application got for its own team. */
export const revokeOwnToken = async (service: PlatformService, token: string): Promise<void> => {
  const key = await keyOf(service, token)
  if (key) await revoke(service, key)
}
