import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'

/** Dependencies of notifications. */
export interface NotificationDeps {
  readonly notifications: {
    /** Returns what takes the body of a notification. Refuses, before the body is read, what cannot be verified in any case. */
    open(accountId: number, signature: string): Promise<(body: Buffer) => Promise<void>>
  }
}

const PATH = /^\/payments\/gateway_accounts\/(\d{1,15})\/notifications$/
const MOST_BYTES = 512 * 1024

/** Receives notifications from the gateway of an account. Answers 204 when one is stored or needs no storing. */
export const notifications = ({ notifications: { open } }: NotificationDeps, withBody: WithBody) =>
  async function notification(ctx: ApiContext, next: Next): Promise<unknown> {
    const [, id] = (ctx.method === 'POST' && PATH.exec(ctx.path)) || []
    if (id === undefined) return next()
    ctx.state.operation = 'notification'
    const take = await open(Number(id), ctx.get('Stripe-Signature'))
    await withBody(ctx, MOST_BYTES, take)
    ctx.status = 204
    return undefined
  }
