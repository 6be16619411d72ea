import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { ENDPOINT, RECEIVER, type ReceivedBy, receive } from '../../domain/purchases/public.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { parseJson } from '../http/json.ts'
import { utf8Text } from '../http/utf8.ts'
import type { Service } from '../service.ts'
import { mustBeSigned, verified } from './signature.ts'

/** Dependencies for receiving deliveries of providers. */
export type PurchaseDeps = ReceivedBy & Pick<Service, 'everywhere' | 'publicIds' | 'vault' | 'now'>

/** Highest number of bytes of a delivery: far more than a provider sends about one purchase. */
const MOST_BYTES = 256 * 1024

const objectIn = (text: string): JsonObject => {
  const parsed = parseJson(text)
  if (!isJsonObject(parsed as JsonObject)) throw refuse.malformed('HTTP body must be a JSON object')
  return parsed as JsonObject
}

/** Receives purchases from a provider. Answers 200 when a delivery is stored, now or earlier, and 401 when its signature is missing or wrong. */
export const purchases = (service: PurchaseDeps, withBody: WithBody) =>
  async function purchase(ctx: ApiContext, next: Next): Promise<unknown> {
    if (ctx.method !== 'POST' || !ctx.path.startsWith(RECEIVER)) return next()
    ctx.state.operation = 'external_purchase'
    const id = service.publicIds.of(ENDPOINT).decode(ctx.path.slice(RECEIVER.length))
    const endpoint = id === undefined ? undefined : await service.everywhere.get(ENDPOINT, id)
    if (!endpoint) throw refuse.notFound()
    const workspaceId = Number(endpoint.workspace_id)
    mustBeSigned(ctx.req.headers)
    await withBody(ctx, MOST_BYTES, async (bytes) => {
      const signed = await verified(service.vault, endpoint, ctx.req.headers, bytes)
      const text = utf8Text(bytes)
      const at = new Date(service.now(workspaceId)).toISOString()
      const { requestId } = ctx.state
      await receive(service, { endpoint, ...signed, text, body: objectIn(text), at, requestId, uuid: randomUUID() })
    })
    ctx.status = 200
    ctx.body = { received: true }
    return undefined
  }
