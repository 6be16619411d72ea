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

/** Senders that there are. */
const made = new WeakMap<Tenant, Set<string>>()

/** Returns a sender of a tenant, who is made if there is none with its address. */
const senderOf = async (tenant: Tenant, wanted: Partial<Sender> = {}): Promise<Sender> => {
  const address = wanted.address ?? `news-${tenant.workspaceId}@mail.millrace-shop.com`
  const known = getOrInsert(made, tenant, () => new Set<string>())
  if (!known.has(address)) {
    known.add(address)
    const own = { username: address.slice(0, address.lastIndexOf('@')), name: 'Shop', email_address: address }
    await tenant.carryOut!(ask(addresses, 'new', 'create', own)).catch((error) => {
      // It was made by a request.
      if (!String(error).includes('already been taken')) throw error
    })
  }
  return { name: 'Shop', ...wanted, address }
}

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
      content: CONTENT,
      contactIds,
      ...more,
      ...(!('sender' in more && more.sender === undefined) && { sender: await senderOf(tenant, more.sender) }),
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
export const settledOf = async (service: TestService, mailingId: number, _withinMs = 15_000) => {
  let all: readonly DeliveryRecord[] = []
  await eventually(async () => {
    all = await deliveriesOf(service, mailingId)
    const open = all.filter(({ status }) => status === 'waiting' || status === 'taken')
    if (all.length === 0 || open.length > 0) throw new Error(`not settled: ${open.length} of ${all.length}`)
  })
  return all
}

export const statusesOf = (deliveries: readonly DeliveryRecord[]) => deliveries.map(({ status }) => status)
