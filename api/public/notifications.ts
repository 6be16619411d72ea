import { refuse } from '../../domain/kernel/refusal.ts'
import type { ApiContext, Next } from '../http/context.ts'

/** What notifications are taken with. */
export interface NotificationParts {
  readonly notifications: { take(accountId: number, body: Buffer, signature: string): Promise<void> }
}

const PATH = /^\/payments\/gateway_accounts\/(\d{1,15})\/notifications$/
const MOST_BYTES = 512 * 1024

/** A body as it was sent: what is signed is its bytes. @throws {Refusal} too large */
const bytesOf = async (request: ApiContext['req']): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length
    if (length > MOST_BYTES) throw refuse.tooLarge(`a body may have at most ${MOST_BYTES} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Takes what the gateway of an account tells by itself: 204 when it is kept, or nothing is to be kept of it. */
export const notifications = ({ notifications: { take } }: NotificationParts) =>
  async function notification(ctx: ApiContext, next: Next): Promise<unknown> {
    const [, id] = (ctx.method === 'POST' && PATH.exec(ctx.path)) || []
    if (id === undefined) return next()
    ctx.state.operation = 'notification'
    const signature = ctx.get('Stripe-Signature')
    await take(Number(id), await bytesOf(ctx.req), signature)
    ctx.status = 204
    return undefined
  }
