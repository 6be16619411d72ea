import Router from '@koa/router'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { SCOPES } from '../../domain/kernel/values/scopes.ts'
import { originOf } from './context.ts'

/** State of the process for its probes. */
export interface Health {
  /** Returns the reason for which requests should not be sent here now; `undefined` when they should. */
  notReady(): MaybePromise<string | undefined>
}

/** Serves the probes for an orchestrator. */
export const healthRouter = (health: Health): Router => {
  const router = new Router()
  router.get('/health/live', function live(ctx) {
    ctx.body = { status: 'live' }
  })
  router.get('/health/ready', async function ready(ctx) {
    const reason = await health.notReady()
    ctx.status = reason === undefined ? 200 : 503
    ctx.body = reason === undefined ? { status: 'ready' } : { status: 'not ready', reason }
  })
  return router
}

/** Serves the metadata from which clients learn how to authenticate (RFC 9728). */
export const metadataRouter = (): Router => {
  const router = new Router()
  router.get('/.well-known/oauth-protected-resource', function protectedResource(ctx) {
    ctx.body = {
      resource: originOf(ctx),
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_documentation: `${originOf(ctx)}/api/v2/reference`,
    }
  })
  return router
}
