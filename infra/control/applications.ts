import type Router from '@koa/router'
import type { OperatorApplications } from '../operator/applications.ts'

/** Adds the routes of the operator's actions on platform applications. */
export const addApplicationRoutes = (router: Router, applications: OperatorApplications): void => {
  router.get('/applications', async (ctx) => {
    ctx.body = await applications.list(Number(ctx.query.team_id))
  })
  router.post('/applications', async (ctx) => {
    const { team_id, ...fields } = ctx.request.body as unknown as Readonly<Record<string, unknown>>
    ctx.body = await applications.create(Number(team_id), fields)
  })
  router.post('/applications/:id/rotate', async (ctx) => {
    ctx.body = await applications.rotate(Number(ctx.params.id))
  })
  router.delete('/applications/:id', async (ctx) => {
    await applications.remove(Number(ctx.params.id))
    ctx.body = { removed: true }
  })
}
