import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import type { ApiContext } from '../../http/context.ts'
import type { FailedAttempts } from '../../http/failed-attempts.ts'
import { hashToken } from '../../token-hash.ts'
import { answerError } from '../answers.ts'
import { readObject } from '../body.ts'
import type { OAuthDeps } from '../deps.ts'
import { scopesIn } from '../scopes.ts'
import { agentMetadata, isFault, REGISTERED } from './agent-client.ts'
import { keepRegistration } from './clients.ts'

const SECRET_METHODS = ['client_secret_post', 'client_secret_basic']

const random = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** Returns how a client authenticates: as it asks, or not at all, since most agents cannot keep a secret. */
const methodOf = ({ token_endpoint_auth_method: asked }: JsonObject): string =>
  SECRET_METHODS.find((method) => method === asked) ?? 'none'

/**
 * Registers an agent (RFC 7591). Anybody may, so registrations are counted by address, and those that nobody consents to go after a while. The answer
 * says what was registered, which may be less than what was asked for.
 */
export const register = async (ctx: ApiContext, deps: OAuthDeps, failed: FailedAttempts): Promise<void> => {
  failed.check(ctx)
  failed.count(ctx)
  const said = (await readObject(ctx)) as JsonObject
  const metadata = agentMetadata(said)
  if (isFault(metadata)) {
    answerError(ctx, 400, metadata.error, metadata.description)
    return
  }
  const id = REGISTERED + random(18)
  const method = methodOf(said)
  const secret = method === 'none' ? undefined : random(32)
  const client = { ...metadata, client_id: id, token_endpoint_auth_method: method }
  await keepRegistration(deps, id, { ...client, ...(secret && { client_secret: hashToken(secret) }) })
  const scopes = scopesIn(said.scope)
  ctx.status = 201
  ctx.set('Cache-Control', 'no-store')
  ctx.body = {
    ...client,
    client_id_issued_at: Math.floor(deps.now() / 1000),
    ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
}
