import type { ApiContext, Next } from '../http/context.ts'
import { bytesOf } from './body.ts'

/** What notifications are taken with. */
export interface NotificationDeps {
  readonly notifications: { take(accountId: number, body: Buffer, signature: string): Promise<void> }
}

const PATH = /^\/payments\/gateway_accounts\/(\d{1,15})\/notifications$/
const MOST_BYTES = 512 * 1024

/** Takes what the gateway of an account tells by itself: 204 when it is kept, or nothing is to be kept of it. */
export const notifications = ({ notifications: { take } }: NotificationDeps) =>
  async function notification(ctx: ApiContext, next: Next): Promise<unknown> {
    const [, id] = (ctx.method === 'POST' && PATH.exec(ctx.path)) || []
    if (id === undefined) return next()
    ctx.state.operation = 'notification'
    const signature = ctx.get('Stripe-Signature')
    await take(Number(id), await bytesOf(ctx, MOST_BYTES), signature)
    ctx.status = 204
    return undefined
  }
