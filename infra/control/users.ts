import type Router from '@koa/router'
import type { NewInvitation, NewReset, OperatorUsers } from '../operator/users.ts'

/** Adds the routes of the operator's actions on people. */
export const addUserRoutes = (router: Router, users: OperatorUsers): void => {
  router.get('/users', async (ctx) => {
    const { team_id } = ctx.query
    ctx.body = await users.list(team_id === undefined ? undefined : Number(team_id))
  })
  router.post('/users/invite', async (ctx) => {
    ctx.body = await users.invite(ctx.request.body as unknown as NewInvitation)
  })
  router.post('/users/reset', async (ctx) => {
    ctx.body = await users.reset(ctx.request.body as unknown as NewReset)
  })
}
