import { addresses } from '../../../domain/emails/address/rules.ts'
import type { Sender } from '../../../domain/emails/mailing/model.ts'
import { beginMailing, type DeliveryRecord, delivery, type NewMailing } from '../../../domain/emails/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { getOrInsert } from '../../../domain/kernel/values/get-or-insert.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import type { Tenant, TestService } from '../../support/service.ts'

let causes = 0

export const CONTENT = {
  subject: 'News for {{ contact.first_name }}',
  preheadline: null,
  html_body: '<html><body><p>Hello {{ contact.first_name }}</p></body></html>',
  text_body: null,
  footer: {
    business: 'Shop',
    address: ['Mill Lane 1, Millford'],
    isSingleLine: false,
    alignment: 'left' as const,
    words: null,
  },
  tracks_opens: true,
  tracks_clicks: true,
}

/** A mail that somebody is owed. */
export const OWED = { ...CONTENT, footer: null, tracks_opens: false, tracks_clicks: false }

const senders = new WeakMap<Tenant, Promise<Sender>>()

/** Returns a sender of a tenant. */
const senderOf = (tenant: Tenant): Promise<Sender> =>
  getOrInsert(senders, tenant, async () => {
    const username = `news-${tenant.workspaceId}`
    const address = `${username}@mail.millrace-shop.com`
    await tenant.carryOut!(ask(addresses, 'new', 'create', { username, name: 'Shop', email_address: address }))
    return { name: 'Shop', address }
  })

/** Begins a mailing to contacts of a tenant. @returns its id */
export const begin = async (
  tenant: Tenant,
  contactIds: readonly number[],
  more: Partial<NewMailing> = {},
): Promise<number> =>
  tenant.carryOut!(
    beginMailing({
      class: 'marketing',
      kind: 'broadcast',
      cause: `test-${++causes}`,
      ...(!('sender' in more) && { sender: await senderOf(tenant) }),
      content: CONTENT,
      contactIds,
      ...more,
    }),
  )

/** Creates contacts. @returns their ids */
export const createContacts = ({ api, workspaceId }: Tenant, addresses: readonly string[], more: object = {}) =>
  Promise.all(
    addresses.map(async (email_address) => {
      const contact = { email_address, first_name: 'Ann', ...more }
      return Number(ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact })).id)
    }),
  )

/** Returns the deliveries of a mailing, in its order. */
export const deliveriesOf = async ({ background }: TestService, mailingId: number) =>
  (await background.stores.readModels.live.find(delivery.name, {
    where: { mailing_id: mailingId },
  })) as unknown as readonly DeliveryRecord[]

/** Waits until all deliveries of a mailing have an outcome. */
export const settledOf = async (service: TestService, mailingId: number, withinMs = 15_000) => {
  let all: readonly DeliveryRecord[] = []
  await eventually(async () => {
    all = await deliveriesOf(service, mailingId)
    const open = all.filter(({ status }) => status === 'waiting' || status === 'taken')
    if (all.length === 0 || open.length > 0) throw new Error(`not settled: ${open.length} of ${all.length}`)
  }, withinMs)
  return all
}

export const statusesOf = (deliveries: readonly DeliveryRecord[]) => deliveries.map(({ status }) => status)
