import type { Member } from '../../../domain/communities/visibility.ts'

/** A space with what it is in, as far as rules of posts ask. */
export const place = (change: { readonly [part in 'community' | 'group' | 'space']?: object } = {}) => ({
  community: {
    id: 3,
    status: 'live',
    private: false,
    require_post_approvals: false,
    require_comment_approvals: false,
    enable_block_list: false,
    ...change.community,
  },
  group: {
    id: 1,
    access: 'is_open',
    is_hidden_from_non_members: false,
    require_post_approvals: false,
    require_post_approvals_override: false,
    require_comment_approvals: false,
    require_comment_approvals_override: false,
    ...change.group,
  },
  space: { id: 11, access: 'is_open', members_can_post: true, ...change.space },
})

/** A member of the community. */
export const member = (change: Partial<Member> = {}): Member => ({
  contact_id: 7,
  moderator: false,
  space_ids: [],
  group_ids: [],
  ...change,
})
