import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import { isSecret } from '../client-secret.ts'
import { wantedScopes } from '../scopes.ts'
import { placeFields } from '../token-answer.ts'
import { issueOwnToken } from './own-tokens.ts'
import type { PlatformService } from './platform-records.ts'

export interface PasswordGrantDeps {
  readonly platform: PlatformService
  readonly everywhere: ReadModels
  readonly issuer: string
  /** Seconds for which the answer says that the token is valid. */
  readonly lastsS: number
}

/**
 * Serves the password grant to applications for the team that owns them: `username` is the client id and `password` the secret. No person gives a
 * password to an application.
 */
export const servePasswordGrant = (
  provider: Provider,
  { platform, everywhere: live, issuer, lastsS }: PasswordGrantDeps,
): void => {
  provider.registerGrantType(
    'password',
    async (ctx) => {
      const { client, params } = ctx.oidc
      const [username, password] = [String(params?.username ?? ''), String(params?.password ?? '')]
      if (!client || username !== client.clientId || !isSecret(password, client.clientSecret ?? ''))
        throw new errors.InvalidGrant('username and password are not the client id and the secret')
      const scopes = wantedScopes(params?.scope, 'api')
      const { token, teamId } = await issueOwnToken(platform, client.clientId, scopes)
      ctx.body = {
        ...{ access_token: token, token_type: 'Bearer', expires_in: lastsS, scope: scopes.join(' ') },
        ...{
          created_at: Math.floor(Date.now() / 1000),
          ...(await placeFields(live, { teamId, workspaceId: null }, issuer)),
        },
      }
    },
    ['username', 'password', 'scope'],
  )
}
