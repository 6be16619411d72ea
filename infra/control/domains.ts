import type Router from '@koa/router'
import type { OperatorDomains, ShownName } from '../operator/domains.ts'

interface Asked {
  readonly name: string
  readonly kind: ShownName['kind']
}

/** Adds the routes of the operator's actions on the names of workspaces. */
export const addDomainRoutes = (router: Router, domains: OperatorDomains): void => {
  router.get('/workspaces/:id/domains', async (ctx) => {
    ctx.body = await domains.list(Number(ctx.params.id))
  })
  router.post('/workspaces/:id/domains', async (ctx) => {
    const { name, kind } = ctx.request.body as unknown as Asked
    ctx.body = await domains.connect(name, Number(ctx.params.id), kind)
  })
  router.post('/workspaces/:id/domains/verify', async (ctx) => {
    const { name } = ctx.request.body as unknown as Asked
    ctx.body = await domains.verify(name, Number(ctx.params.id))
  })
}
