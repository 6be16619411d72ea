import { enrollments } from '../../../domain/courses/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../client.ts'
import { communitiesOf } from '../communities.ts'
import { coursesOf } from '../courses.ts'
import { eventually } from '../eventually.ts'
import type { Tenant } from '../service.ts'
import { type Shop, shopOf } from './shop.ts'

const DAY = 24 * 60 * 60 * 1000

/** A course is scheduled and appears with all that it holds, and its bulk actions publish, wait and are called off. */
const publishing = async ({ api, workspaceId }: Tenant, make: ReturnType<typeof coursesOf>, passes: Passing) => {
  const { id } = await make.course()
  const section = await make.section(id)
  await make.lesson(section.id)
  const { now } = ok(await api.get(`/workspaces/${workspaceId}/test_clock`))
  const inDays = (days: number) => new Date(Date.parse(now) + days * DAY).toISOString()
  ok(await api.post(`/courses/${id}/publish`, { published_at: inDays(1), publish_sections_and_lessons: true }))
  const queue = async (fields: object) => {
    const action = { target_ids: [(await make.section(id)).public_id], ...fields }
    const path = `/courses/${id}/sections/publish_actions`
    return ok(await api.post(path, { courses_sections_publish_action: action })).id as number
  }
  await queue({ auto_enroll: true })
  await queue({ scheduled_for: inDays(1) })
  await passes(2)
  ok(await api.delete(`/courses/sections/publish_actions/${await queue({ scheduled_for: inDays(30) })}`))
}

type Passing = (days: number) => Promise<void>

/** An enrolment is given more and less, suspended, completed, bought, ended and taken up again. */
const taking = async (tenant: Tenant, make: ReturnType<typeof coursesOf>, shop: Shop) => {
  const { api, workspaceId } = tenant
  const { id, sections } = await make.taught(1, 1)
  const [first, second] = sections
  const monthly = await shop.sells({ amount: '20', payment_type: 'subscription', interval: 'months' })
  const products_variant = { included_courses_attributes: [{ course_id: id }] }
  ok(await api.put(`/products/variants/${monthly.variant_id}`, { products_variant }))
  const { order_id } = await shop.buys(monthly)
  const has = (count: number) =>
    eventually(async () => {
      const held = (await make.grantsOf(id, shop.contactId)).length
      if (held !== count) throw new Error(`${held} causes in force`)
    })
  await has(1)
  const own = (await make.enrollmentOf(id, shop.contactId)).id
  const act = async (fields: object) => {
    const wanted = { target_ids: [shop.contactId], ...fields }
    ok(await api.post(`/workspaces/${workspaceId}/contacts/enroll_actions`, { contacts_enroll_action: wanted }))
  }
  await act({ section_ids: [first!.id] })
  await has(2)
  const change = async (fields: object) =>
    ok(await api.put(`/courses/enrollments/${own}`, { courses_enrollment: fields }))
  await change({ suspended: true, suspension_reason: 'Lent the key' })
  await change({ suspended: false })
  for (const lesson of [first!.lessons[0]!, second!.lessons[0]!]) ok(await make.complete(id, own, lesson))
  await tenant.carryOut?.(ask(enrollments, own, 'viewLesson', { lesson_id: first!.lessons[0]! }))
  const [done] = ok(await api.get(`/courses/${id}/lesson_completions?filter[enrollment_id]=${own}`))
  ok(await api.delete(`/courses/lesson_completions/${done.id}`))
  const added = await make.section(id)
  const action = { target_ids: [added.public_id], auto_enroll: true }
  ok(await api.post(`/courses/${id}/sections/publish_actions`, { courses_sections_publish_action: action }))
  await eventually(async () => {
    const all = await make.grantsOf(id, shop.contactId)
    if (!all.every(({ section_ids }) => section_ids.includes(added.id))) throw new Error('not extended')
  })
  await unenrolledFrom(tenant, shop.contactId, second!.id)
  ok(await api.post(`/orders/${order_id}/cancel`, { order: { effective_date: 'next_renewal' } }))
  const { now } = ok(await api.get(`/workspaces/${workspaceId}/test_clock`))
  await act({ course_ids: [id], scheduled_for: new Date(Date.parse(now) + DAY).toISOString() })
  await shop.passes(40)
  await has(2)
  ok(await api.delete(`/courses/enrollments/${own}`))
  ok(await make.enroll(id, shop.contactId))
  ok(await api.delete(`/courses/${id}`))
  await eventually(async () => {
    if ((await api.get(`/courses/enrollments/${own}`)).status !== 404) throw new Error('the enrolment is still there')
  })
}

/** A workflow takes a section from a contact. */
const unenrolledFrom = async ({ api, workspaceId }: Tenant, contactId: number, section: number) => {
  const workflow = ok(await api.post(`/workspaces/${workspaceId}/workflows`, { workflow: { name: 'Takes back' } }))
  const step = { step_type_settings: { unenroll_contact_step: { section_ids: [section] } } }
  ok(await api.post(`/workflows/${workflow.id}/steps`, { workflows_step: step }))
  const workflows_trigger = { event_type_key: '$survey.complete' }
  ok(await api.post(`/workflows/${workflow.id}/triggers`, { workflows_trigger }))
  ok(await api.post(`/workflows/${workflow.id}/enable`))
  const { id } = ok(await api.post(`/workflows/${workflow.id}/runs`, { run: { contact_id: contactId } }))
  await eventually(async () => {
    const { run } = ok(await api.get(`/workflows/runs/${id}/trace`))
    if (run.status !== 'completed') throw new Error(`the run is ${run.status}`)
  })
}

/** A group of spaces is bought, and the payment is given back. */
const opening = async (tenant: Tenant, shop: Shop) => {
  const { api } = tenant
  const make = communitiesOf(tenant)
  const { id } = await make.community()
  const group = await make.group(id)
  await make.space(group.id)
  const line = await shop.sells({ amount: '20' })
  const products_variant = { included_space_groups_attributes: [{ communities_space_group_id: group.id }] }
  ok(await api.put(`/products/variants/${line.variant_id}`, { products_variant }))
  const { order_id } = await shop.buys(line)
  const isIn = (count: number) =>
    eventually(async () => {
      const [member] = ok(await api.get(`/communities/${id}/memberships`))
      if (member?.space_ids.length !== count) throw new Error(`not in ${count} spaces`)
    })
  await isIn(1)
  const [sale] = await shop.transactions(order_id)
  ok(await api.post(`/orders/transactions/${sale.id}/refund`))
  await isIn(0)
}

/** Courses are published, bought, taken and completed, and spaces are bought. */
export const courseTraffic = async (tenant: Tenant): Promise<void> => {
  const make = coursesOf(tenant)
  const shop = await shopOf(tenant)
  await publishing(tenant, make, shop.passes)
  await taking(tenant, make, shop)
  await opening(tenant, shop)
}
