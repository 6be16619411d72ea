import type { mailActs } from '../../../domain/contacts/contact/mail-standing.ts'
import { contacts, suppressions } from '../../../domain/contacts/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { ok } from '../client.ts'
import type { Tenant, TestService } from '../service.ts'
import { executeCommand, idOrThrow } from './discounts.ts'

/** A contact is asked to confirm, unsubscribes and comes back, and mails to it are returned until it has another address. */
export const mailStandingTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const { api, workspaceId } = tenant
  const fields = { email_address: 'mailed.life@example.com' }
  const { id } = ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact: fields }))
  const execute = executeCommand(service, tenant)
  const act = async (name: keyof typeof mailActs, wanted: JsonObject = {}) =>
    idOrThrow(await execute(ask(contacts, id, name, wanted)))
  await act('askConfirmation')
  await act('confirm')
  await act('unsubscribe')
  await act('resubscribe', { by: 'preferences', form_submission_id: null, page_id: null })
  for (const unwanted_topic_ids of [[2, 1], []]) await act('chooseTopics', { unwanted_topic_ids })
  await act('softBounce', { soft_bounces: { count: 1, since: '2026-03-01T09:00:00.000Z' } })
  await act('suppress', { reason: 'bounced' })
  ok(await api.put(`/contacts/${id}`, { contact: { email_address: 'mailed.anew@example.com' } }))
  await suppressionTraffic(tenant, service)
}

/** An address is suppressed, lifted, and goes to another contact after the first was deleted. */
const suppressionTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const { api, workspaceId } = tenant
  const execute = executeCommand(service, tenant)
  const email_address = 'mailed.list@example.com'
  const path = `/workspaces/${workspaceId}/contacts/suppressions`
  const { id } = ok(await api.post(path, { contacts_suppression: { email_address, note: 'Asked by phone' } }))
  ok(await api.post(`/contacts/suppressions/${id}/lift`, { contacts_suppression: { note: 'Called again' } }))
  const soft_bounce = { sent_at: '2026-03-01T09:00:00.000Z', delivered_since: false }
  idOrThrow(await execute(ask(suppressions, id, 'note', { soft_bounce, unsubscribed: true })))
  idOrThrow(await execute(ask(suppressions, id, 'resubscribe', {})))
  const contact = { contact: { email_address } }
  ok(await api.post(`/workspaces/${workspaceId}/contacts`, contact))
  await service.caughtUp()
}
