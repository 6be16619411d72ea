import { broadcast } from '../../../domain/emails/broadcast/model.ts'
import { type DeliveryRecord, delivery } from '../../../domain/emails/public.ts'
import type { ApiClient } from '../../support/client.ts'
import { filling, openBackground, writer } from '../../support/filled.ts'
import { BUSINESS } from '../../support/records/emails.ts'
import { createdBody } from '../../support/traffic/funnels.ts'

const AT_ONCE = 200

/** A workspace of a data directory with contacts, whose first name is Ann. */
export interface Audience {
  readonly workspaceId: number
  readonly token: string
  /** Ids of the contacts by their addresses. */
  readonly contacts: ReadonlyMap<string, number>
}

/** Fills a data directory with contacts. */
export const fillAudience = async (data: string, addresses: readonly string[]): Promise<Audience> => {
  let audience: Audience | undefined
  await filling(data, async (background) => {
    const write = await writer(background)
    const found = new Map<string, number>()
    for (let first = 0; first < addresses.length; first += AT_ONCE)
      await Promise.all(
        addresses.slice(first, first + AT_ONCE).map(async (email_address) => {
          found.set(email_address, await write.contact('Ann', { email_address }))
        }),
      )
    audience = { workspaceId: write.workspaceId, token: (await write.issueKey()).token, contacts: found }
  })
  return audience!
}

/** Makes a broadcast to all contacts whose first name is Ann. @returns its id */
export const draftToAnns = async (api: ApiClient, workspaceId: number): Promise<number> => {
  const at = `/workspaces/${workspaceId}`
  createdBody(await api.put(`${at}/emails/settings`, { marketing_setting: BUSINESS }))
  const emails_address = { username: 'news', name: 'News' }
  const { email_address } = createdBody(await api.post(`${at}/emails/addresses`, { emails_address }))
  const topic = createdBody(await api.post(`${at}/emails/topics`, { emails_topic: { name: 'News' } }))
  const filter = createdBody(await api.post(`${at}/contacts/filters`, { text: 'first name is Ann' }))
  const emails_broadcast = {
    ...{ name: 'News', subject: 'News', from_email: email_address, html_body: '<p>News</p>' },
    ...{ topic_ids: [topic.id], filter_id: filter.stable_id },
  }
  return createdBody(await api.post(`${at}/emails/broadcasts`, { emails_broadcast })).id
}

/** Orders it to be sent. @returns the id of the order */
export const orderToSend = async (api: ApiClient, id: number, order?: object): Promise<number> =>
  createdBody(
    await api.post(`/emails/broadcasts/${id}/send_actions`, order && { emails_broadcasts_send_action: order }),
  ).id

/** Returns all deliveries of a broadcast from a data directory that no process uses. */
export const deliveriesIn = async (data: string, id: number): Promise<readonly DeliveryRecord[]> => {
  const background = await openBackground(data)
  const { live } = background.stores.readModels
  const ids = ((await live.get(broadcast.name, id))?.mailing_ids ?? []) as readonly number[]
  const all: DeliveryRecord[] = []
  for (const mailing_id of ids) {
    const found = await live.find(delivery.name, { where: { mailing_id } })
    all.push(...(found as unknown as readonly DeliveryRecord[]))
  }
  await background.stop()
  return all
}
