import type { Answer } from './client.ts'
import type { Tenant } from './service.ts'

const created = ({ status, body }: Answer) => {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${JSON.stringify(body)}`)
  return body
}

/** Makes what communities are made of, over REST. */
export const communitiesOf = ({ api, workspaceId }: Tenant) => ({
  community: async (fields: object = {}) =>
    created(await api.post(`/workspaces/${workspaceId}/communities`, { community: { name: 'Potters', ...fields } })),
  group: async (communityId: number, fields: object = {}) =>
    created(
      await api.post(`/communities/${communityId}/space_groups`, {
        communities_space_group: { name: 'Kilns', ...fields },
      }),
    ),
  space: async (groupId: number, fields: object = {}) =>
    created(
      await api.post(`/communities/space_groups/${groupId}/spaces`, {
        communities_space: { name: 'Glazes', ...fields },
      }),
    ),
  contact: async (name = 'ada') =>
    created(
      await api.post(`/workspaces/${workspaceId}/contacts`, { contact: { email_address: `${name}@example.com` } }),
    ),
  join: (communityId: number, contactId: number, fields: object = {}) =>
    api.post(`/communities/${communityId}/memberships`, {
      communities_membership: { contact_id: contactId, ...fields },
    }),
  post: async (spaceId: number, fields: object = {}) =>
    created(
      await api.post(`/communities/spaces/${spaceId}/posts`, {
        communities_spaces_post: { title: 'Crawling', ...fields },
      }),
    ),
  comment: (postId: number, fields: object = {}) =>
    api.post(`/communities/spaces/posts/${postId}/comments`, {
      communities_spaces_posts_comment: { body: '<p>Thinner.</p>', ...fields },
    }),
  like: (postId: number, contactId: number) =>
    api.post(`/communities/spaces/posts/${postId}/likes`, { communities_spaces_posts_like: { contact_id: contactId } }),
  ban: (communityId: number, contactId: number, fields: object = {}) =>
    api.post(`/communities/${communityId}/bans`, { communities_ban: { contact_id: contactId, ...fields } }),
})
