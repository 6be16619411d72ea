import { broadcast } from '../../../domain/emails/broadcast/model.ts'
import { type DeliveryRecord, delivery } from '../../../domain/emails/public.ts'
import { type Answer, ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { broadcastFields } from '../../support/records/emails.ts'
import type { Tenant, TestService } from '../../support/service.ts'

/** Makes a draft of a broadcast to the contacts whose first name is Ann. @returns its id */
export const draft = async (tenant: Tenant, more: object = {}): Promise<number> => {
  const emails_broadcast = { ...(await broadcastFields(tenant)), ...more }
  return Number(
    ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/broadcasts`, { emails_broadcast })).id,
  )
}

/** Orders a broadcast to be sent. */
export const order = ({ api }: Tenant, id: number, emails_broadcasts_send_action?: object): Promise<Answer> =>
  api.post(`/emails/broadcasts/${id}/send_actions`, emails_broadcasts_send_action && { emails_broadcasts_send_action })

export const broadcastOf = async ({ api }: Tenant, id: number) => ok(await api.get(`/emails/broadcasts/${id}`))

/** Waits until all outcomes of a broadcast are counted. */
export const settledBroadcast = async (tenant: Tenant, id: number) => {
  let found = await broadcastOf(tenant, id)
  await eventually(async () => {
    found = await broadcastOf(tenant, id)
    if (found.complete_at === null) throw new Error(`it is ${found.status}: ${found.status_reason}`)
  })
  return found
}

type Delivery = DeliveryRecord & { readonly mailing_id: number }

/** Returns the deliveries of a broadcast, in the order of its audience. */
export const deliveriesOfBroadcast = async ({ background }: TestService, id: number): Promise<readonly Delivery[]> => {
  const { live } = background.stores.readModels
  const ids = ((await live.get(broadcast.name, id))?.mailing_ids ?? []) as readonly number[]
  const found = await Promise.all(ids.map((mailing_id) => live.find(delivery.name, { where: { mailing_id } })))
  return found.flat() as unknown as readonly Delivery[]
}
