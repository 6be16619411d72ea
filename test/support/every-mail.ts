import { ok } from './client.ts'
import { canAdvertise } from './notices.ts'
import { advanceBy, populated } from './populated.ts'
import { recordMakers } from './records.ts'
import type { Tenant, TestService } from './service.ts'
import { waitUntilSettled } from './settled.ts'
import { shopOf } from './traffic/shop.ts'

const DAY = 24 * 60 * 60_000

/** A purchase of a file, and something that is sent. */
const ofAnOrder = async (tenant: Tenant): Promise<void> => {
  const shop = await shopOf(tenant)
  const sold = await shop.sells({ amount: 30 })
  const asset = await recordMakers.asset!.make(tenant)
  ok(await tenant.api.put(`/products/variants/${sold.variant_id}`, { products_variant: { asset_ids: [asset] } }))
  await shop.buys(sold)
  const fields = await recordMakers.fulfillment!.fields!(tenant)
  const sent = { ...fields, tracking_code: 'T-77', notify_customer: true }
  ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/fulfillments`, { fulfillment: sent }))
}

/** A reply, a mention, and a day with something unread. */
const ofACommunity = async (tenant: Tenant): Promise<void> => {
  await canAdvertise(tenant)
  const { make, spaceId, ids } = await populated(tenant, ['Ada', 'Bob', 'Cy'], { notifications: 'essential' })
  const { id } = await make.post(spaceId, { title: 'Glazes', contact_id: ids.Ada })
  const body = `<p><span data-mention="${ids.Cy}">Cy</span> knows.</p>`
  ok(await make.comment(id, { body, contact_id: ids.Bob }))
  await make.post(spaceId, { title: 'Kiln day', contact_id: ids.Ada })
  await advanceBy(tenant, DAY)
}

/** A section that is new to whoever is enrolled. */
const ofACourse = async ({ api, workspaceId }: Tenant): Promise<void> => {
  const posted = async (path: string, body?: object) => Number(ok(await api.post(path, body)).id)
  const course = await posted(`/workspaces/${workspaceId}/courses`, { course: { title: 'Throwing mugs' } })
  await posted(`/courses/${course}/publish`)
  const contact = await posted(`/workspaces/${workspaceId}/contacts`, { contact: { email_address: 'dee@x.test' } })
  await posted(`/courses/${course}/enrollments`, { courses_enrollment: { contact_id: contact } })
  const section = await posted(`/courses/${course}/sections`, { courses_section: { title: 'Handles' } })
  await posted(`/courses/sections/${section}/lessons`, { courses_lesson: { title: 'Pulling' } })
  const published = { target_ids: [section], auto_enroll: true, send_email: true }
  await posted(`/courses/${course}/sections/publish_actions`, { courses_sections_publish_action: published })
}

/** Brings those mails with standard texts about that other traffic does not. */
export const otherMails = async (service: Pick<TestService, 'tenant' | 'background'>): Promise<void> => {
  await ofAnOrder(await service.tenant({ test: true }))
  await ofACommunity(await service.tenant({ test: true }))
  await ofACourse(await service.tenant({ test: true }))
  await waitUntilSettled(service)
}
