import { resources } from '../../../domain/index.ts'
import type { Resource } from '../../../domain/resources/resource.ts'
import { ok } from '../client.ts'
import { recordMakers } from '../records.ts'
import type { Tenant, TestService } from '../service.ts'
import { waitUntilSettled } from '../settled.ts'
import { accountTraffic, subdomainTraffic } from './account-traffic.ts'
import { billingTraffic } from './billing-traffic.ts'
import { blogTraffic } from './blog-traffic.ts'
import { broadcastTraffic } from './broadcast-traffic.ts'
import { communityTraffic } from './community-traffic.ts'
import { courseTraffic } from './course-traffic.ts'
import { discountTraffic } from './discounts.ts'
import { domainTraffic, entryTraffic } from './entry-traffic.ts'
import { formTraffic } from './form-traffic.ts'
import { fulfillmentTraffic } from './fulfillment-traffic.ts'
import { funnelTraffic } from './funnel-traffic.ts'
import { mailStandingTraffic } from './mail-standing-traffic.ts'
import { mailTraffic } from './mail-traffic.ts'
import { mailingTraffic } from './mailing-traffic.ts'
import { memberTraffic } from './member-traffic.ts'
import { orderTraffic } from './order-traffic.ts'
import { pageSaleTraffic } from './page-sale-traffic.ts'
import { notificationTraffic } from './payment-traffic.ts'
import { platformTraffic } from './platform-traffic.ts'
import { purchaseTraffic } from './purchase-traffic.ts'
import { secondFactorTraffic } from './second-factor-traffic.ts'
import { signInTraffic } from './sign-in-traffic.ts'
import { stockTraffic } from './stock-traffic.ts'
import { optInTraffic, visitTraffic } from './visit-traffic.ts'
import { webhookTraffic } from './webhook-traffic.ts'
import { workflowTraffic } from './workflow-traffic.ts'

/** Changes and removes one record, when the resource has these operations. */
const changeAndRemove = async (tenant: Tenant, resource: Resource): Promise<void> => {
  const maker = recordMakers[resource.name]
  if (!maker) return
  const id = await maker.make(tenant)
  const ofTeam = await tenant.withScopes(['read', 'write'], 'team')
  const ofRecord = Object.values(resource.operations).filter(({ path }) => /^[^{]*\{id\}$/.test(path))
  const change = ofRecord.find(({ method }) => method === 'PUT' || method === 'PATCH')
  if (change && maker.fields) {
    const fields = await maker.fields(tenant)
    ok(
      await (change.ofTeam ? ofTeam : tenant.api).put(change.path.replace('{id}', String(id)), {
        [resource.root]: fields,
      }),
    )
  }
  const remove = ofRecord.find(({ method }) => method === 'DELETE')
  if (remove) ok(await (remove.ofTeam ? ofTeam : tenant.api).delete(remove.path.replace('{id}', String(id))))
}

/** The life of a contact from its creation to its erasure. */
export const contactTraffic = async ({ api, workspaceId }: Tenant): Promise<void> => {
  const contacts = `/workspaces/${workspaceId}/contacts`
  const tag = async (name: string) => ok(await api.post(`${contacts}/tags`, { contacts_tag: { name } })).id as number
  const [first, second] = [await tag('Life first'), await tag('Life second')]
  const { id } = ok(await api.post(contacts, { contact: { first_name: 'Ada' } }))
  const change = async (fields: object) => ok(await api.put(`/contacts/${id}`, { contact: fields }))
  await change({ email_address: 'ada.life@example.com', last_name: 'Lovelace', time_zone: 'London' })
  await change({ custom_attributes: { 'Favourite engine': 'analytical' }, tag_ids: [first] })
  await change({ tag_ids: [second, first], time_zone: null })
  await change({ tag_ids: [] })
  ok(await api.post(`/contacts/${id}/applied_tags`, { contacts_applied_tag: { tag_id: second } }))
  const upsert = { contact: { email_address: 'ADA.LIFE@example.com', phone_number: '+44 20 7946 0000' } }
  ok(await api.post(`${contacts}/upsert`, upsert))
  ok(await api.delete(`/contacts/tags/${second}`))
  ok(await api.delete(`/contacts/${id}`))
  ok(await api.delete(`/contacts/${id}/gdpr_destroy`))
  const kept = { email_address: 'ada.life@example.com', first_name: 'Again', tag_ids: [first] }
  ok(await api.post(contacts, { contact: kept }))
}

/** A pipeline is built and removed, with an opportunity that passes through it. */
export const salesTraffic = async (tenant: Tenant): Promise<void> => {
  const { api, workspaceId } = tenant
  const attributes = ['New', 'Talk', 'Won', 'Lost'].map((name, index) => ({
    name,
    close_probability: (index * 50) % 101,
  }))
  const made = { sales_pipeline: { name: 'Deals', stages_attributes: attributes } }
  const pipeline = ok(await api.post(`/workspaces/${workspaceId}/sales/pipelines`, made))
  const stages = pipeline.stages.map((stage: { id: number }) => stage.id) as number[]
  const changeStage = async (id: number, sales_pipelines_stage: object) =>
    ok(await api.put(`/sales/pipelines/stages/${id}`, { sales_pipelines_stage }))
  await changeStage(stages[0]!, { name: 'Fresh', close_probability: 15, sort_order: 2 })
  const added = { name: 'Proof', close_probability: 60, sort_order: 1 }
  ok(await api.post(`/sales/pipelines/${pipeline.id}/stages`, { sales_pipelines_stage: added }))
  ok(await api.delete(`/sales/pipelines/stages/${stages[3]}`))
  const renamed = { name: 'Bargains', stages_attributes: [{ id: stages[1], name: 'Talks' }, { name: 'More' }] }
  ok(await api.put(`/sales/pipelines/${pipeline.id}`, { sales_pipeline: renamed }))
  await opportunityTraffic(tenant, stages)
  ok(await api.delete(`/sales/pipelines/${pipeline.id}`))
}

const opportunityTraffic = async (tenant: Tenant, [fresh, , won]: readonly number[]): Promise<void> => {
  const { api, workspaceId, teamId } = tenant
  const contact = () => recordMakers.contact!.make(tenant)
  const [member] = ok(await api.get(`/teams/${teamId}/memberships`))
  const opened = { name: 'Looms', pipelines_stage_id: fresh, primary_contact_id: await contact(), value: '12.5' }
  const path = `/workspaces/${workspaceId}/sales/opportunities`
  const { id } = ok(await api.post(path, { sales_opportunity: opened }))
  const change = async (fields: object) =>
    ok(await api.put(`/sales/opportunities/${id}`, { sales_opportunity: fields }))
  await change({ name: 'Power looms', value: 20, assignee_id: member.id, primary_contact_id: await contact() })
  await change({ pipelines_stage_id: won })
  await change({ closed_at: null, value: null })
  await change({ closed_at: '2026-02-03T04:05:06Z', assignee_id: null })
  const note = async (content: string) =>
    ok(await api.post(`/sales/opportunities/${id}/notes`, { sales_opportunities_note: { content } })).id as number
  const [kept, gone] = [await note('Called'), await note('Mistaken')]
  ok(await api.put(`/sales/opportunities/notes/${kept}`, { sales_opportunities_note: { content: 'Called twice' } }))
  ok(await api.delete(`/sales/opportunities/notes/${gone}`))
  ok(await api.delete(`/sales/opportunities/${id}`))
}

/** A product loses its tag, is archived and restored, and retires a price. */
const storeTraffic = async ({ api, workspaceId }: Tenant): Promise<void> => {
  const path = `/workspaces/${workspaceId}/products`
  const tag = ok(await api.post(`${path}/tags`, { products_tag: { name: 'Summer' } }))
  const product = ok(await api.post(path, { product: { name: 'Shawl', tag_ids: [tag.id] } }))
  ok(await api.put(`/products/${product.id}`, { product: { tag_ids: [] } }))
  ok(await api.post(`/products/${product.id}/archive`, undefined))
  ok(await api.post(`/products/${product.id}/unarchive`, undefined))
  const variant = `/products/variants/${product.default_variant_id}`
  const price = ok(await api.post(`${variant}/prices`, { products_price: { amount: '20' } }))
  for (const archived of [true, false])
    ok(await api.put(`/products/prices/${price.id}`, { products_price: { archived } }))
  ok(await api.put(`${variant}/change_options`, { products_variant: { downgrade_price_ids: [price.id] } }))
}

/** An appointment is rescheduled and cancelled. */
const appointmentTraffic = async (tenant: Tenant): Promise<void> => {
  const path = `/appointments/scheduled_events/${await recordMakers['appointments/scheduled_event']!.make(tenant)}`
  const appointments_scheduled_event = { start_on: '2026-05-06T10:00:00Z' }
  ok(await tenant.api.post(`${path}/reschedule`, { appointments_scheduled_event }))
  ok(await tenant.api.post(`${path}/cancel`, undefined))
}

/** A test clock is advanced past due timers. */
const clockTraffic = async ({ api, workspaceId }: Tenant): Promise<void> => {
  const clock = `/workspaces/${workspaceId}/test_clock`
  const { now } = ok(await api.get(clock))
  const inDays = (days: number) => new Date(Date.parse(now) + days * 24 * 60 * 60 * 1000).toISOString()
  const actions = `/workspaces/${workspaceId}/contacts/unsubscribe_actions`
  const wanted = { target_all: true, scheduled_for: inDays(1) }
  ok(await api.post(actions, { contacts_unsubscribe_action: wanted }))
  ok(await api.post(clock, { to: inDays(8) }))
  while (ok(await api.get(clock)).state === 'advancing') await new Promise((go) => setTimeout(go, 10))
}

/** Produces every event type, on records that stay and on records that are removed. */
export const variedTraffic = async (service: TestService): Promise<void> => {
  const tenant = await service.tenant({ test: true })
  await accountTraffic(tenant, service)
  await platformTraffic(tenant)
  await contactTraffic(tenant)
  await mailStandingTraffic(tenant, service)
  await mailingTraffic(tenant, service)
  await salesTraffic(tenant)
  await funnelTraffic(tenant)
  await entryTraffic(await service.tenant(), service)
  await domainTraffic(tenant)
  await storeTraffic(tenant)
  await discountTraffic(tenant, service)
  await orderTraffic(tenant)
  await purchaseTraffic(tenant)
  await appointmentTraffic(tenant)
  await notificationTraffic(service, await service.tenant())
  await stockTraffic(tenant, service)
  await formTraffic(tenant)
  await fulfillmentTraffic(tenant)
  await billingTraffic(await service.tenant({ test: true }))
  await visitTraffic(tenant, service)
  await optInTraffic(tenant, service)
  await pageSaleTraffic(tenant, service)
  await webhookTraffic(tenant, service)
  await workflowTraffic(tenant, service)
  await memberTraffic(tenant, service)
  await signInTraffic(tenant, service)
  await secondFactorTraffic(tenant, service)
  const clocked = await service.tenant({ test: true })
  await mailTraffic(clocked)
  await broadcastTraffic(tenant, service)
  await clockTraffic(clocked)
  await blogTraffic(await service.tenant({ test: true }))
  await communityTraffic(await service.tenant({ test: true }))
  await courseTraffic(await service.tenant({ test: true }))
  await subdomainTraffic(await service.tenant({ test: true }))
  for (const resource of resources) {
    await recordMakers[resource.name]?.make(tenant)
    await changeAndRemove(tenant, resource)
  }
  await waitUntilSettled(service)
}
