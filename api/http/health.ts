import Router from '@koa/router'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'

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
