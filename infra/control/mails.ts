import type { ParsedUrlQuery } from 'node:querystring'
import type Router from '@koa/router'
import type { OperatorHeld } from '../operator/held.ts'
import { HELD_KINDS } from '../operator/held-kinds.ts'
import type { OperatorRates, WantedRates } from '../operator/mail-rates.ts'
import type { AddressOf, OperatorSuppressions } from '../operator/mail-suppressions.ts'
import type { MailsQuery, OperatorMails } from '../operator/mails.ts'

const asked = ({ status, workspace_id, after }: ParsedUrlQuery): MailsQuery => ({
  status: String(status),
  ...(workspace_id !== undefined && { workspaceId: Number(workspace_id) }),
  ...(after !== undefined && { after: Number(after) }),
})

/** Adds the routes of the operator's actions on mails. */
export const addMailRoutes = (router: Router, mails: OperatorMails, rates: OperatorRates): void => {
  router.get('/mail_rates', async (ctx) => {
    ctx.body = await rates.show()
  })
  router.post('/mail_rates', async (ctx) => {
    await rates.order(ctx.request.body as unknown as WantedRates)
    ctx.body = await rates.show()
  })
  router.get('/mailings', async (ctx) => {
    ctx.body = await mails.list(asked(ctx.query))
  })
  router.get('/mailings/:id', async (ctx) => {
    ctx.body = await mails.show(Number(ctx.params.id))
  })
  router.post('/mailings/:id/release', async (ctx) => {
    await mails.release(Number(ctx.params.id))
    ctx.body = { released: true }
  })
  router.get('/mails', async (ctx) => {
    ctx.body = await mails.deliveries(asked(ctx.query))
  })
  router.get('/mails/:id', async (ctx) => {
    ctx.body = await mails.open(Number(ctx.params.id))
  })
  router.post('/mails/:id/send_again', async (ctx) => {
    await mails.sendAgain(Number(ctx.params.id))
    ctx.body = { ordered: true }
  })
}

/** Adds the routes of the operator's actions on addresses. They are in bodies, since paths are logged. */
export const addSuppressionRoutes = (router: Router, suppressions: OperatorSuppressions): void => {
  router.post('/suppressions/show', async (ctx) => {
    ctx.body = await suppressions.show(ctx.request.body as unknown as AddressOf)
  })
  router.post('/suppressions/lift', async (ctx) => {
    const { note, ...of } = ctx.request.body as unknown as AddressOf & { readonly note: string }
    ctx.body = await suppressions.lift(of, note)
  })
}

/** Adds the routes of the operator's actions on what an older copy of the data would do. */
export const addHeldRoutes = (router: Router, held: OperatorHeld): void => {
  for (const kind of HELD_KINDS) {
    router.get(`/held/${kind}s`, async (ctx) => {
      ctx.body = await held.list(kind, asked(ctx.query))
    })
    router.post(`/held/${kind}s/:id/release`, async (ctx) => {
      await held.release(kind, Number(ctx.params.id))
      ctx.body = { released: true }
    })
  }
}
