import { ok } from '../client.ts'
import { blogMakers } from '../records/blogs.ts'
import { imageUrl } from '../servers/image-server.ts'
import type { Tenant } from '../service.ts'

const HOUR = 60 * 60 * 1000

/** A post is scheduled and appears, is rewritten with a picture, and taken back. */
export const blogTraffic = async (tenant: Tenant): Promise<void> => {
  const { api, workspaceId } = tenant
  const clock = `/workspaces/${workspaceId}/test_clock`
  const inHours = async (hours: number) =>
    new Date(Date.parse(ok(await api.get(clock)).now) + hours * HOUR).toISOString()
  const blog = `/blogs/${await blogMakers.blog.make(tenant)}`
  ok(await api.put(blog, { blog: { name: 'Kiln', seo_title: 'From the kiln' } }))
  const author = await blogMakers['blogs/author'].make(tenant)
  const tag = await blogMakers['blogs/tag'].make(tenant)
  const scheduled = { title: 'Glazes', visibility: 'scheduled', published_at: await inHours(1), author_ids: [author] }
  const { id } = ok(await api.post(`${blog}/posts`, { blogs_post: scheduled }))
  const change = async (fields: object) => ok(await api.put(`/blogs/posts/${id}`, { blogs_post: fields }))
  ok(await api.post(clock, { to: await inHours(2) }))
  while (ok(await api.get(clock)).state === 'advancing') await new Promise((go) => setTimeout(go, 10))
  const picture = `<section><row><column><image src="${await imageUrl()}" alt="A bowl"/></column></row></section>`
  await change({ markup: picture, excerpt_content: 'All about glazes' })
  await change({ tag_ids: [tag], visibility: 'draft' })
  await change({ visibility: 'members_only', published_at: null })
}
