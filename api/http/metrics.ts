import { timingSafeEqual } from 'node:crypto'
import Router from '@koa/router'
import type { Registry } from 'prom-client'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { hashToken } from '../token-hash.ts'
import type { ApiContext } from './context.ts'
import type { FailedAttempts } from './failed-attempts.ts'

/** Conditions for reading the metrics. */
export interface MetricsAccess {
  /** Bearer token that a scraper must send. */
  readonly token: string | undefined
  /** Whether only this machine reaches the listener. Then no token is required when none is configured. */
  readonly isLocal: boolean
}

const isForwarded = ({ req: { headers } }: ApiContext): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

/** Serves the metrics for Prometheus. @throws {Refusal} unauthenticated, or forbidden where everybody could read them */
export const metricsRouter = (registry: Registry, access: MetricsAccess, failed: FailedAttempts): Router => {
  const expected = access.token === undefined ? undefined : Buffer.from(hashToken(`Bearer ${access.token}`))
  const mayRead = (ctx: ApiContext): void => {
    if (!expected) {
      if (access.isLocal && !isForwarded(ctx)) return
      throw refuse.forbidden('give MILLRACE_METRICS_TOKEN, and send it: others than this machine reach this listener')
    }
    const sent = Buffer.from(hashToken(ctx.req.headers.authorization ?? ''))
    if (timingSafeEqual(sent, expected)) return
    failed.count(ctx)
    throw refuse.unauthenticated()
  }
  const router = new Router()
  router.get('/metrics', async function metrics(ctx) {
    mayRead(ctx as unknown as ApiContext)
    ctx.type = registry.contentType
    ctx.body = await registry.metrics()
  })
  return router
}
