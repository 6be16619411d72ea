import { MOST_TOPICS } from '../../../../api/mail/topics.ts'
import { MOST_COURSES } from '../../../../api/members/courses/course-page.ts'
import { ORDERS_PER_PAGE } from '../../../../api/members/orders/order-pages.ts'
import { MOST_ENTRIES } from '../../../../api/pages/blog/feed.ts'
import { POSTS_PER_PAGE } from '../../../../api/pages/blog/resolve.ts'
import { ok } from '../../../support/client.ts'
import { coursesOf } from '../../../support/courses.ts'
import { recordMakers } from '../../../support/records.ts'
import type { Tenant } from '../../../support/service.ts'
import { blogOf } from '../../blogs/support.ts'
import { HIDDEN, type MemberList, type Stage, times } from './list.ts'

const VISIBLE = 'Shigaraki'

/** Writes a public post of the blog, and posts after it that are drafts or not due. */
const blogPosts = async ({ tenant }: Stage, hidden: number) => {
  const blog = await blogOf(tenant)
  await blog.posted({ title: VISIBLE, visibility: 'public', markup: '<section></section>' })
  const published_at = await blog.ahead(60 * 60 * 1000)
  await times(hidden, (n) =>
    blog.posted({ title: HIDDEN, ...(n % 2 === 0 ? { visibility: 'scheduled', published_at } : {}) }),
  )
  return blog.blog.current_path
}

/** Makes an order of a product of its own. */
const ordered = async (tenant: Tenant, contact_id: number) => {
  const workspace = `/workspaces/${tenant.workspaceId}`
  const product = ok(await tenant.api.post(`${workspace}/products`, { product: { name: 'Tea' } }))
  const variant_id = product.default_variant_id
  const prices = `/products/variants/${variant_id}/prices`
  const { id: products_price_id } = ok(await tenant.api.post(prices, { products_price: { amount: 1 } }))
  const order = { order_type: 'one-time-order', live_mode: false, contact_id }
  const line_items_attributes = [{ variant_id, products_price_id, quantity: 1 }]
  const { id } = ok(await tenant.api.post(`${workspace}/orders`, { order: { ...order, line_items_attributes } }))
  return { id: Number(id), variant_id }
}

/** Lists of courses, orders, topics and posts of a blog. */
export const otherLists: Readonly<Record<string, MemberList>> = {
  courses: {
    pages: ['members/courses'],
    limits: ['members/courses/course-page.ts AT_ONCE'],
    async make({ tenant, ada }) {
      const { course, enroll, publish } = coursesOf(tenant)
      const enrolled = async (title: string) => {
        const { id } = await course({ title })
        ok(await enroll(id, ada.id))
        return id
      }
      await times(3 * MOST_COURSES, () => enrolled(HIDDEN))
      await publish(await enrolled(VISIBLE))
      return { page: '/members/courses', text: VISIBLE, hidden: HIDDEN }
    },
  },
  'lessons of a course': {
    pages: ['members/courses/{id}', 'members/lessons/{id}'],
    limits: [],
    async make({ tenant, ada }) {
      const make = coursesOf(tenant)
      const { id } = await make.course()
      const section = await make.section(id)
      await make.publish(id)
      ok(await make.enroll(id, ada.id))
      await times(60, () => make.lesson(section.id, { title: HIDDEN }))
      const lesson = await make.lesson(section.id, { title: VISIBLE })
      ok(await tenant.api.post(`/courses/lessons/${lesson.id}/publish`))
      return { page: `/members/courses/${id}`, text: VISIBLE, hidden: HIDDEN }
    },
  },
  orders: {
    pages: ['members/orders'],
    limits: ['members/orders/order-pages.ts ORDERS_PER_PAGE'],
    async make({ tenant, ada, crowd }) {
      const own = await ordered(tenant, ada.id)
      const others = await times(3 * ORDERS_PER_PAGE, () => ordered(tenant, crowd[0]!))
      const hidden = new RegExp(`/members/orders/(?:${others.map(({ id }) => id).join('|')})"`)
      return { page: '/members/orders', text: `/members/orders/${own.id}"`, hidden }
    },
  },
  'files of an order': {
    pages: ['members/orders/{id}', 'members/orders/{id}/downloads/{id}'],
    limits: [],
    async make({ tenant, ada }) {
      const { id, variant_id } = await ordered(tenant, ada.id)
      const others = await times(10, () => recordMakers.download!.make(tenant))
      const file = await recordMakers.download!.make(tenant)
      const { asset_id } = ok(await tenant.api.get(`/downloads/${file}`))
      ok(await tenant.api.put(`/products/variants/${variant_id}`, { products_variant: { asset_ids: [asset_id] } }))
      const orders_invoice = { external_id: 'bill', status: 'paid', paid_at: '2026-01-01T00:00:00Z' }
      ok(await tenant.api.post(`/orders/${id}/invoices`, { orders_invoice }))
      const hidden = new RegExp(`/downloads/(?:${others.join('|')})"`)
      return { page: `/members/orders/${id}`, text: `/downloads/${file}"`, hidden }
    },
  },
  'topics of mails': {
    pages: ['members/mail'],
    limits: ['mail/topics.ts MOST_TOPICS'],
    async make({ tenant }) {
      const topic = async (name: string) =>
        ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/topics`, { emails_topic: { name } }))
      await times(3 * MOST_TOPICS, async (n) => {
        const { id } = await topic(`${HIDDEN} ${n}`)
        ok(await tenant.api.delete(`/emails/topics/${id}`))
      })
      await topic(VISIBLE)
      return { page: '/members/mail', text: VISIBLE, hidden: HIDDEN }
    },
  },
  'posts of a blog': {
    pages: [],
    limits: ['pages/blog/resolve.ts POSTS_PER_PAGE', 'pages/blog/listing.ts BATCH'],
    async make(stage) {
      return { page: await blogPosts(stage, 3 * POSTS_PER_PAGE), text: VISIBLE, hidden: HIDDEN }
    },
  },
  'entries of a feed': {
    pages: [],
    limits: ['pages/blog/feed.ts MOST_ENTRIES'],
    async make(stage) {
      return { page: `${await blogPosts(stage, 3 * MOST_ENTRIES)}/feed`, text: VISIBLE, hidden: HIDDEN }
    },
  },
}
