import { LOCALES, STANDARD_KINDS } from '../../../domain/emails/owed/kinds.ts'
import { ok } from '../client.ts'
import type { Tenant } from '../service.ts'
import { creatable, idOf, inWorkspace, type RecordMaker, unique } from './making.ts'

let count = 0

/** A root domain that no other record has. */
export const rootDomain = (): string => `shop-${process.pid}-${++count}.com`

const domain = creatable(async () => ({ name: rootDomain() }), inWorkspace('/emails/domains'), 'emails_domain')

/** Business address of a workspace, complete. */
export const BUSINESS = {
  name: 'Mug Shop',
  address: { address_one: '1 High Street', city: 'Austin', postal_code: '78701', country_code: 'US', region: 'TX' },
}

/** Completes the business address of a workspace. */
export const completeAddress = async (tenant: Tenant): Promise<void> => {
  ok(await tenant.api.put(inWorkspace('/emails/settings')(tenant), { marketing_setting: BUSINESS }))
}

export const sender = creatable(
  async () => ({ username: unique(`news-${process.pid}`).replace(' ', '-'), name: unique('Shop') }),
  inWorkspace('/emails/addresses'),
  'emails_address',
)
const template = creatable(
  async () => ({ name: unique('Template'), subject: 'Hello {{ contact.first_name }}', html_body: '<p>Hello</p>' }),
  inWorkspace('/emails/templates'),
  'emails_template',
)
/** Each kind of owed mail in each language. */
const OWED = STANDARD_KINDS.flatMap((kind) => LOCALES.map((locale) => ({ kind, locale })))
let owed = 0

/** Own text for one owed mail after the other. Since each has one at most, the former one is removed. */
const owedTemplate = creatable(
  async (tenant) => {
    const which = OWED[++owed % OWED.length]!
    const all = ok(await tenant.api.get(inWorkspace('/emails/owed_templates')(tenant)))
    for (const one of all as unknown as readonly { id: number; kind: string; locale: string }[])
      if (one.kind === which.kind && one.locale === which.locale)
        ok(await tenant.api.delete(`/emails/owed_templates/${one.id}`))
    return { ...which, subject: unique('Your order'), html_body: '<p>Thank you</p>' }
  },
  inWorkspace('/emails/owed_templates'),
  'emails_owed_template',
)
const topic = creatable(async () => ({ name: unique('Topic') }), inWorkspace('/emails/topics'), 'emails_topic')

/** Fields of a broadcast that can be sent, to the contacts whose first name is Ann. */
export const broadcastFields = async (tenant: Tenant) => {
  await completeAddress(tenant)
  const { api, workspaceId } = tenant
  const { email_address } = ok(await api.get(`/emails/addresses/${await sender.make(tenant)}`))
  const filter = await api.post(`/workspaces/${workspaceId}/contacts/filters`, { text: 'first name is Ann' })
  return {
    name: unique('Broadcast'),
    subject: 'News for {{ contact.first_name }}',
    preheadline: 'What is new',
    from_email: String(email_address),
    template_id: await template.make(tenant),
    topic_ids: [await topic.make(tenant)],
    filter_id: String(filter.body.stable_id),
  }
}

const broadcast = creatable(broadcastFields, inWorkspace('/emails/broadcasts'), 'emails_broadcast')

/** After every test clock. */
const FAR = '2099-01-01T10:00:00Z'

/** Schedules a broadcast. @returns its id and that of the order */
export const scheduled = async (tenant: Tenant) => {
  const id = await broadcast.make(tenant)
  const emails_broadcasts_send_action = { send_at: FAR }
  return { id, action: idOf(await tenant.api.post(sendActionsOf(id), { emails_broadcasts_send_action })) }
}

const sendActionsOf = (id: number): string => `/emails/broadcasts/${id}/send_actions`

/** Makes a broadcast that is scheduled, and paused if that is wanted. */
const scheduledOne = (isPaused: boolean) => async (tenant: Tenant) => {
  const { id } = await scheduled(tenant)
  if (isPaused) ok(await tenant.api.post(`/emails/broadcasts/${id}/pause`, undefined))
  return id
}

/** Makers of what mail is sent with. */
export const mailMakers: Readonly<Record<string, RecordMaker>> = {
  'emails/domain': domain,
  'emails/address': creatable(
    async (tenant) => ({
      username: unique('sender').replace(' ', '-'),
      name: unique('Shop'),
      emails_domain_id: await domain.make(tenant),
    }),
    inWorkspace('/emails/addresses'),
    'emails_address',
  ),
  'emails/topic': topic,
  'emails/template': template,
  'emails/settings': {
    make: async ({ workspaceId }) => workspaceId,
    by: { updateEmailsOwedMails: async () => ({ off: ['order_shipped'] }) },
  },
  'emails/owed_template': owedTemplate,
  'emails/broadcast': {
    ...broadcast,
    makeFor: { pauseEmailsBroadcast: scheduledOne(false), resumeEmailsBroadcast: scheduledOne(true) },
  },
  'emails/broadcasts/send_action': {
    fields: async () => ({}),
    make: async (tenant) => (await scheduled(tenant)).action,
  },
}
