import { workflowOf } from '../api/workflows/making.ts'
import { ok } from '../support/client.ts'
import { broadcastFields } from '../support/records/emails.ts'
import { startReceiver } from '../support/servers/receiver.ts'
import type { Tenant, TestService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { shopOf } from '../support/traffic/shop.ts'
import { byForm } from './form.ts'

const PEOPLE = byForm(12, 300)
const TAGGED = byForm(5, 100)

/** A broadcast, a workflow that tags, mails and waits, bulk actions, a schedule, renewals and webhooks, over two days of a test clock. */
export const busyDay = async (service: TestService, tenant: Tenant): Promise<{ readonly told: number }> => {
  const { api, workspaceId } = tenant
  const workspace = `/workspaces/${workspaceId}`
  const receiver = await startReceiver()
  const close = service.background.outbound.exempt(new URL(receiver.url).origin)
  const endpoint = { url: receiver.url, name: 'All', event_type_ids: ['$contact.created', '$contact.tag_applied'] }
  ok(await api.post(`${workspace}/webhooks/outgoing/endpoints`, { webhooks_outgoing_endpoint: endpoint }))
  const people: number[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const contact = { first_name: 'Ann', email_address: `ann.${n}@day.example` }
    people.push(ok(await api.post(`${workspace}/contacts`, { contact })).id)
  }
  const tag = async (name: string) => ok(await api.post(`${workspace}/contacts/tags`, { contacts_tag: { name } })).id
  const emails_broadcast = await broadcastFields(tenant)
  const [enters, runs] = [await tag('Enters'), await tag('Runs')]
  const workflow = await workflowOf(tenant)
  await workflow.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: enters })
  await workflow.step({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [runs] } })
  await workflow.step({ send_email_step: { subject: 'Hello', html_body: '<p>Hello</p>' } })
  await workflow.step({ delay_step: { delay_type: 'relative', duration: 1, interval: 'days' } })
  await workflow.step({ send_email_step: { subject: 'Again', html_body: '<p>Again</p>' } })
  ok(await workflow.enable())
  const { id } = ok(await api.post(`${workspace}/emails/broadcasts`, { emails_broadcast }))
  ok(await api.post(`/emails/broadcasts/${id}/send_actions`, undefined))
  const contacts_tag_action = { tag_ids: [enters], target_ids: people.slice(0, TAGGED) }
  ok(await api.post(`${workspace}/contacts/tag_actions`, { contacts_tag_action }))
  const shop = await shopOf(tenant)
  const monthly = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'days' })
  for (const payment_method_id of ['approved', 'declined', 'lost']) await shop.begins(monthly, { payment_method_id })
  const { now } = ok(await api.get(`${workspace}/test_clock`))
  const scheduled_for = new Date(Date.parse(now) + 36 * 60 * 60 * 1000).toISOString()
  const contacts_unsubscribe_action = { target_ids: people.slice(-5), scheduled_for }
  ok(await api.post(`${workspace}/contacts/unsubscribe_actions`, { contacts_unsubscribe_action }))
  await waitUntilSettled(service)
  await shop.passes(2)
  await waitUntilSettled(service)
  close()
  return { told: new Set(receiver.received.map(({ headers }) => String(headers['webhook-id']))).size }
}
