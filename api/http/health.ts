import Router from '@koa/router'
import type { Registry } from 'prom-client'
import { SCOPES } from '../../domain/kernel/scopes.ts'
import { originOf } from './context.ts'

/** What the process says of itself. */
export interface Health {
  /** Why requests should not be sent here now; nothing when they should. */
  notReady(): string | undefined
}

/** Probes for an orchestrator, numbers for Prometheus, and where clients learn how to authenticate (RFC 9728). */
export const operationsRouter = (health: Health, registry: Registry): Router => {
  const router = new Router()
  router.get('/health/live', function live(ctx) {
    ctx.body = { status: 'live' }
  })
  router.get('/health/ready', function ready(ctx) {
    const reason = health.notReady()
    ctx.status = reason === undefined ? 200 : 503
    ctx.body = reason === undefined ? { status: 'ready' } : { status: 'not ready', reason }
  })
  router.get('/metrics', async function metrics(ctx) {
    ctx.type = registry.contentType
    ctx.body = await registry.metrics()
  })
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
