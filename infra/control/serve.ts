import { createServer } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import { Readable } from 'node:stream'
import Router, { type RouterContext } from '@koa/router'
import Koa, { type Middleware } from 'koa'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { RebuildProgress } from '../../projections/rebuild.ts'
import type { NewKey, NewTeam } from '../operator/accounts.ts'
import type { Background } from '../runtime/background.ts'
import { addApplicationRoutes } from './applications.ts'
import { addCopyRoutes } from './copy.ts'
import { addDomainRoutes } from './domains.ts'
import { failuresAsked } from './failures.ts'
import { listeningLines } from './listening.ts'
import { addHeldRoutes, addMailRoutes, addSuppressionRoutes } from './mails.ts'
import { addUserRoutes } from './users.ts'

/** Yields lines of progress. The last line has `done`, or `error` with the reason of the failure. */
async function* rebuildLines(background: Background, threads: number | undefined): AsyncGenerator<string> {
  const waiting: RebuildProgress[] = []
  let wake = () => {}
  const finished = background.rebuild((progress) => {
    waiting.push(progress)
    wake()
  }, threads)
  let done = false
  const finish = () => {
    done = true
    wake()
  }
  finished.then(finish, finish)
  while (!done) {
    await new Promise<void>((resolve) => {
      wake = resolve
      if (waiting.length > 0 || done) resolve()
    })
    for (const progress of waiting.splice(0)) yield `${JSON.stringify(progress)}\n`
  }
  const last = await finished.then(
    (progress) => ({ done: true, ...progress }),
    (error: Error) => ({ error: error.message }),
  )
  yield `${JSON.stringify(last)}\n`
}

const stream = (ctx: RouterContext, lines: AsyncIterable<string>) => {
  ctx.type = 'application/x-ndjson'
  const body = Readable.from(lines)
  ctx.req.once('close', () => body.destroy())
  ctx.body = body
}

const routes = (background: Background, about: () => object): Router => {
  const { accounts, failures, held, mails, mailRates, statistics, testClocks } = background
  const router = new Router()
  router.get('/status', (ctx) => {
    ctx.body = { pid: process.pid, ...about() }
  })
  router.post('/workspaces', async (ctx) => {
    const { team, team_id, ...values } = ctx.request.body as unknown as {
      team?: NewTeam
      team_id?: number
      name: string
      subdomain: string
      currency: string
      test?: boolean
    }
    const teamId = team_id ?? (await accounts.foundTeam(team!))
    ctx.body = { team_id: teamId, workspace_id: await accounts.openWorkspace(teamId, values) }
  })
  router.get('/workspaces', async (ctx) => {
    ctx.body = await accounts.workspaces()
  })
  router.get('/workspaces/:id/test_clock', async (ctx) => {
    ctx.body = await testClocks.show(Number(ctx.params.id))
  })
  router.post('/workspaces/:id/test_clock', async (ctx) => {
    const { to } = ctx.request.body as unknown as { to: string }
    await testClocks.advance(Number(ctx.params.id), to)
    ctx.body = { advancing: true }
  })
  router.post('/keys', async (ctx) => {
    ctx.body = await accounts.issueKey(ctx.request.body as unknown as NewKey)
  })
  router.get('/keys', async (ctx) => {
    ctx.body = await accounts.keys(Number(ctx.query.team_id))
  })
  router.delete('/keys/:id', async (ctx) => {
    await accounts.revokeKey(Number(ctx.params.id))
    ctx.body = { revoked: true }
  })
  router.get('/statistics/funnels/:id', async (ctx) => {
    ctx.body = await statistics.show(ctx.params.id!, new URLSearchParams(ctx.querystring))
  })
  router.get('/failures', async (ctx) => {
    ctx.body = await failures.list(failuresAsked(ctx.query))
  })
  router.get('/failures/:id', async (ctx) => {
    ctx.body = await failures.show(ctx.params.id!)
  })
  router.post('/failures/:id/retry', async (ctx) => {
    ctx.body = await failures.retry(ctx.params.id!)
  })
  router.delete('/failures/:id', async (ctx) => {
    ctx.body = await failures.drop(ctx.params.id!)
  })
  addApplicationRoutes(router, background.applications)
  addCopyRoutes(router, background.copy)
  addDomainRoutes(router, background.domains)
  addMailRoutes(router, mails, mailRates)
  addSuppressionRoutes(router, background.suppressions)
  addHeldRoutes(router, held)
  addUserRoutes(router, background.users)
  router.post('/rebuild', (ctx) => {
    const { threads } = ctx.query
    stream(ctx, rebuildLines(background, threads === undefined ? undefined : Number(threads)))
  })
  router.post('/webhooks/listen', async (ctx) => stream(ctx, await listeningLines(background, ctx.query)))
  return router
}

const renderRefusals: Koa.Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    ctx.status = error instanceof Refusal ? 422 : 500
    ctx.body = { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Loads the parser of bodies with the first body, so that neither the start nor the first question waits for it. */
const bodyParser = (): Middleware => {
  let parse: Middleware | undefined
  return async (ctx, next) => {
    if (ctx.method === 'GET') return next()
    parse ??= (await import('koa-body')).koaBody()
    return parse(ctx, next)
  }
}

/** Serves the operator's actions over the socket of the data directory, to every user who may open that directory. */
export const serveControl = (socket: SocketServer, background: Background, about: () => object): void => {
  const app = new Koa()
  app.silent = true
  app.use(renderRefusals).use(bodyParser()).use(routes(background, about).routes())
  const server = createServer(app.callback())
  socket.on('connection', (connection) => server.emit('connection', connection))
}
