import type { Tenant } from '../service.ts'
import { contact } from './contact.ts'
import { creatable, inWorkspace, unique } from './making.ts'

const community = creatable(async () => ({ name: unique('Potters') }), inWorkspace('/communities'), 'community')
const group = creatable(
  async () => ({ name: unique('Kilns') }),
  async (tenant) => `/communities/${await community.make(tenant)}/space_groups`,
  'communities_space_group',
)
const space = creatable(
  async () => ({ name: unique('Glazes') }),
  async (tenant) => `/communities/space_groups/${await group.make(tenant)}/spaces`,
  'communities_space',
)
const ofContact = (path: string, root: string) =>
  creatable(
    async (tenant) => ({ contact_id: await contact.make(tenant) }),
    async (tenant) => `/communities/${await community.make(tenant)}/${path}`,
    root,
  )
const post = creatable(
  async () => ({ title: unique('Crawling'), body: '<p>What <b>now</b>?</p>' }),
  async (tenant) => `/communities/spaces/${await space.make(tenant)}/posts`,
  'communities_spaces_post',
)
const onPost = (path: string) => async (tenant: Tenant) =>
  `/communities/spaces/posts/${await post.make(tenant)}/${path}`
const comment = creatable(
  async () => ({ body: '<p>Thinner.</p>' }),
  onPost('comments'),
  'communities_spaces_posts_comment',
)
const liker = async (tenant: Tenant) => ({ contact_id: await contact.make(tenant) })

export const communityMakers = {
  community,
  'communities/space_group': group,
  'communities/space': space,
  'communities/membership': ofContact('memberships', 'communities_membership'),
  'communities/ban': ofContact('bans', 'communities_ban'),
  'communities/spaces/post': post,
  'communities/spaces/posts/comment': comment,
  'communities/spaces/posts/like': creatable(liker, onPost('likes'), 'communities_spaces_posts_like'),
  'communities/spaces/posts/comments/like': creatable(
    liker,
    async (tenant) => `/communities/spaces/posts/comments/${await comment.make(tenant)}/likes`,
    'communities_spaces_posts_comments_like',
  ),
  'communities/spaces/posts/video_embed': creatable(
    async () => ({ url: 'https://youtu.be/a1b2c3' }),
    onPost('video_embeds'),
    'communities_spaces_posts_video_embed',
  ),
}
