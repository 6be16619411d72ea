import type { ApiContext } from '../../http/context.ts'
import type { FailedAttempts } from '../../http/failed-attempts.ts'
import type { AgentAccess } from '../../oauth/agent-tokens.ts'
import type { AgentService } from '../service.ts'
import { answerUnauthenticated } from './challenge.ts'

/**
 * Returns the function that finds out who sent a request. Every request is authorized by its own token, also within a session. Where it is not, the
 * answer is written.
 *
 * @throws {Refusal} from the function: too many, when that happened too often
 */
export const authenticator =
  (service: AgentService, failed: FailedAttempts) =>
  async (ctx: ApiContext): Promise<AgentAccess | undefined> => {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(ctx.req.headers.authorization ?? '')?.[1]
    const access = token === undefined ? undefined : await service.agentTokens.authenticate(token)
    if (access) {
      ctx.state.caller = access.caller
      return access
    }
    // A client begins without a token, to be told where to get one.
    if (ctx.req.headers.authorization !== undefined) failed.count(ctx)
    answerUnauthenticated(ctx, service, ctx.req.headers.authorization !== undefined)
    return undefined
  }
