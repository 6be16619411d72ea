import type { Tenant } from '../service.ts'
import { contact } from './contact.ts'
import { creatable, inWorkspace, unique } from './making.ts'

const community = creatable(async () => ({ name: unique('Potters') }), inWorkspace('/communities'), 'community')

/** Community of a tenant in which all of its members and spaces are, since members are in spaces of their own community alone. */
const communities = new WeakMap<Tenant, Promise<number>>()
const communityOf = (tenant: Tenant): Promise<number> => {
  const made = communities.get(tenant) ?? community.make(tenant)
  communities.set(tenant, made)
  return made
}
const inCommunity = (path: string) => async (tenant: Tenant) => `/communities/${await communityOf(tenant)}/${path}`

const group = creatable(async () => ({ name: unique('Kilns') }), inCommunity('space_groups'), 'communities_space_group')
const space = creatable(
  async () => ({ name: unique('Glazes') }),
  async (tenant) => `/communities/space_groups/${await group.make(tenant)}/spaces`,
  'communities_space',
)
const ofCommunity = (path: string, fields: (tenant: Tenant) => Promise<Record<string, unknown>>) => ({
  ...creatable(fields, inCommunity(path), `communities_${path.replace(/s$/, '').replace('/', '_')}`),
  owner: communityOf,
})
const ofContact = async (tenant: Tenant) => ({ contact_id: await contact.make(tenant) })
const member = ofCommunity('memberships', ofContact)
const ban = ofCommunity('bans', ofContact)
const members = async (tenant: Tenant) => ({ target_ids: [await member.make(tenant)] })
const bans = async (tenant: Tenant) => ({ target_ids: [await ban.make(tenant)] })
const moving = async (tenant: Tenant) => ({ ...(await members(tenant)), space_ids: [await space.make(tenant)] })

const post = creatable(
  async () => ({ title: unique('Crawling'), body: 'What now?' }),
  async (tenant) => `/communities/spaces/${await space.make(tenant)}/posts`,
  'communities_spaces_post',
)
const onPost = (path: string) => async (tenant: Tenant) =>
  `/communities/spaces/posts/${await post.make(tenant)}/${path}`
const comment = creatable(async () => ({ body: 'Thinner.' }), onPost('comments'), 'communities_spaces_posts_comment')

export const communityMakers = {
  community,
  'communities/space_group': group,
  'communities/space': space,
  'communities/membership': member,
  'communities/ban': ban,
  'communities/memberships/add_to_group_action': ofCommunity('memberships/add_to_group_actions', moving),
  'communities/memberships/remove_from_group_action': ofCommunity('memberships/remove_from_group_actions', moving),
  'communities/memberships/ban_action': ofCommunity('memberships/ban_actions', members),
  'communities/memberships/export_action': ofCommunity('memberships/export_actions', members),
  'communities/bans/unban_action': ofCommunity('bans/unban_actions', bans),
  'communities/bans/export_action': ofCommunity('bans/export_actions', bans),
  'communities/spaces/post': post,
  'communities/spaces/posts/comment': comment,
  'communities/spaces/posts/like': creatable(ofContact, onPost('likes'), 'communities_spaces_posts_like'),
  'communities/spaces/posts/comments/like': creatable(
    ofContact,
    async (tenant) => `/communities/spaces/posts/comments/${await comment.make(tenant)}/likes`,
    'communities_spaces_posts_comments_like',
  ),
  'communities/spaces/posts/video_embed': creatable(
    async () => ({ url: 'https://youtu.be/a1b2c3' }),
    onPost('video_embeds'),
    'communities_spaces_posts_video_embed',
  ),
}
