import type { Logger } from 'pino'
import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import { errorBody, renderRefusal } from '../errors.ts'
import type { ApiContext } from './context.ts'

/** Links to the documentation for refused clients (spec 1 and 5.5, RFC 8288). They are relative, because a stranger may send any `Host`. */
export const DOCUMENTATION = [
  '</api/v2>; rel="service-desc"; type="application/json"',
  '</api/v2/reference>; rel="service-doc"; type="text/html"',
  '</.well-known/oauth-protected-resource>; rel="oauth-protected-resource"',
].join(', ')

/** Writes the answer to a failed request. */
export type RenderFailure = (ctx: ApiContext, error: unknown) => void

/**
 * Creates the renderer of failures. It renders a refusal in the contract's form. Every other error is a mistake of the service: the answer
 * has a fixed text, and the log has the whole error.
 *
 * @param documented whether the documentation is served where the request was sent
 */
export const failureRenderer =
  (logger: Logger, { documented }: { readonly documented: boolean } = { documented: true }): RenderFailure =>
  (ctx: ApiContext, error: unknown): void => {
    const { requestId } = ctx.state
    const refusal = refusalIn(error)
    if (!refusal) {
      logger.error({ err: error, request_id: requestId, operation: ctx.state.route?.operationId }, 'request failed')
      ctx.status = 500
      ctx.body = errorBody('Internal server error', requestId)
      return
    }
    if (refusal !== error) logger.warn({ err: error, request_id: requestId }, 'a store cannot be reached')
    const { status, body, headers } = renderRefusal(refusal, requestId)
    ctx.status = status
    ctx.set(headers)
    if (status === 401) ctx.set('WWW-Authenticate', 'Bearer')
    if (documented && (status === 401 || status === 403)) ctx.set('Link', DOCUMENTATION)
    ctx.body = body
  }
