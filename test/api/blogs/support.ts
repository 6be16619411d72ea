import type { Answer } from '../../support/client.ts'
import type { Tenant } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

export const HOUR = 60 * 60 * 1000

/** API calls for the blog of a tenant's workspace. */
export const blogOf = async ({ api, workspaceId }: Tenant) => {
  const workspace = `/workspaces/${workspaceId}`
  const clock = `${workspace}/test_clock`
  const [blog] = createdBody(await api.get(`${workspace}/blogs`))
  const own = `/blogs/${blog.id}`
  return {
    blog,
    own,
    tried: (fields: object): Promise<Answer> => api.post(`${own}/posts`, { blogs_post: fields }),
    posted: async (fields: object) => createdBody(await api.post(`${own}/posts`, { blogs_post: fields })),
    read: async (id: number) => createdBody(await api.get(`/blogs/posts/${id}?expand[]=markup`)),
    changed: async (id: number, fields: object) =>
      createdBody(await api.put(`/blogs/posts/${id}`, { blogs_post: fields })),
    part: async (kind: 'author' | 'tag' | 'category', fields: object) =>
      createdBody(
        await api.post(`${own}/${kind === 'category' ? 'categories' : `${kind}s`}`, { [`blogs_${kind}`]: fields }),
      ),
    member: async (email_address: string) =>
      createdBody(await api.post(`${workspace}/contacts`, { contact: { email_address } })),
    now: async (): Promise<string> => createdBody(await api.get(clock)).now,
    /** Returns the time that lies so far ahead on the clock of the workspace. */
    ahead: async (ms: number): Promise<string> =>
      new Date(Date.parse(createdBody(await api.get(clock)).now) + ms).toISOString(),
    async advance(ms: number): Promise<void> {
      const { now } = createdBody(await api.get(clock))
      await api.post(clock, { to: new Date(Date.parse(now) + ms).toISOString() })
      while (createdBody(await api.get(clock)).state === 'advancing') await pause(5)
    },
    /** Subscribes an endpoint that nobody listens at to all events about posts, so that they are kept. */
    async subscribe(): Promise<void> {
      const event_type_ids = ['created', 'updated', 'deleted', 'published'].map((what) => `blogs/post.${what}`)
      const endpoint = { url: 'https://hooks.example.com/', name: 'Posts', event_type_ids }
      createdBody(await api.post(`${workspace}/webhooks/outgoing/endpoints`, { webhooks_outgoing_endpoint: endpoint }))
    },
    /** Returns the types of the public events about a record, the oldest first. */
    events: async (id: number): Promise<readonly string[]> =>
      createdBody(await api.get(`${workspace}/webhooks/outgoing/events`))
        .filter((one: { subject_id: number }) => one.subject_id === id)
        .map(({ event_type_id }: { event_type_id: string }) => event_type_id),
  }
}
