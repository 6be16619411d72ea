import { randomUUID } from 'node:crypto'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import { endpoints } from '../../domain/webhooks/endpoint/rules.ts'
import { commanding } from './command.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** Records whether endpoints work. Each method returns whether that was recorded. A failure to record is only logged. */
export interface Health {
  /** @param since milliseconds since 1970 */
  failing(endpointId: number, since: number): Promise<boolean>
  recovered(endpointId: number): Promise<boolean>
  gone(endpointId: number): Promise<boolean>
}

/** @param endpointWith finds an endpoint by its id */
export const healthOf = (deps: WebhookDeps, endpointWith: (id: number) => EndpointRecord | undefined): Health => {
  const transact = commanding(deps)
  const note = async (request: Ask): Promise<boolean> => {
    const id = Number(request.id)
    const known = endpointWith(id)
    try {
      const result = await transact({
        ...request,
        ...(known && { teamId: Number(known.team_id) }),
        workspaceId: known?.workspace_id,
        cause: `webhooks-${randomUUID()}`,
      })
      if (result instanceof Refusal)
        deps.logger.info({ endpoint: id, reason: result.message }, 'the state of an endpoint was not recorded')
      return !(result instanceof Refusal)
    } catch (error) {
      deps.logger.error({ err: error, endpoint: id }, 'the state of an endpoint was not recorded')
      return false
    }
  }
  return {
    failing: (id, since) => note(ask(endpoints, id, 'noteFailing', { since: new Date(since).toISOString() })),
    recovered: (id) => note(ask(endpoints, id, 'noteRecovered', {})),
    gone: (id) => note(ask(endpoints, id, 'noteGone', {})),
  }
}
