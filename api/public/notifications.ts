import type { ApiContext, Next } from '../http/context.ts'
import { bytesOf } from './body.ts'

/** Dependencies of notifications. */
export interface NotificationDeps {
  readonly notifications: { take(accountId: number, body: Buffer, signature: string): Promise<void> }
}

const PATH = /^\/payments\/gateway_accounts\/(\d{1,15})\/notifications$/
const MOST_BYTES = 512 * 1024

/** Receives notifications from the gateway of an account. Answers 204 when one is stored or needs no storing. */
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
