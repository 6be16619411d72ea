import type Router from '@koa/router'
import type { OperatorCopy } from '../operator/copy.ts'

/** Adds the routes of the operator's words on copies of the data. */
export const addCopyRoutes = (router: Router, copy: OperatorCopy): void => {
  router.get('/copy', async (ctx) => {
    ctx.body = await copy.show()
  })
  for (const word of ['release', 'hold'] as const)
    router.post(`/copy/${word}`, async (ctx) => {
      await copy[word]()
      ctx.body = await copy.show()
    })
}
