import type { ApiContext } from '../../http/context.ts'
import type { AgentService } from '../service.ts'
import { metadataUrl } from './metadata.ts'

/** Scopes that an agent without a token is told to ask for. */
const USUAL = ['read', 'write']

/** Why a token is refused (RFC 6750, 3.1). */
interface Refused {
  readonly error?: 'invalid_token' | 'insufficient_scope'
  readonly scopes?: readonly string[]
}

/** Returns what tells a client how to get a token that is accepted. */
const challenge = (service: AgentService, { error, scopes = USUAL }: Refused): string => {
  const parts = {
    ...(error && { error }),
    resource_metadata: metadataUrl(service),
    scope: scopes.join(' '),
  }
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}

/** Writes an error in the form of the protocol. */
export const answerError = (ctx: ApiContext, status: number, code: number, message: string): void => {
  ctx.status = status
  ctx.body = { jsonrpc: '2.0', error: { code, message }, id: null }
}

const SERVER_ERROR = -32_000

/** Answers a request without a token, or with one that is not accepted. */
export const answerUnauthenticated = (ctx: ApiContext, service: AgentService, wasSent: boolean): void => {
  ctx.set('WWW-Authenticate', challenge(service, wasSent ? { error: 'invalid_token' } : {}))
  answerError(ctx, 401, SERVER_ERROR, wasSent ? 'The access token is not valid here' : 'An access token is needed')
}

/** Answers a request whose token lacks scopes. @param held scopes of the token; together with the needed ones they are what to ask for */
export const answerMissingScopes = (
  ctx: ApiContext,
  service: AgentService,
  held: readonly string[],
  needed: readonly string[],
): void => {
  const scopes = [...new Set([...held, ...needed])]
  ctx.set('WWW-Authenticate', challenge(service, { error: 'insufficient_scope', scopes }))
  answerError(ctx, 403, SERVER_ERROR, `This needs the scope ${needed.join(' ')}`)
}
