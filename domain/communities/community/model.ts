import { managed } from '../../kernel/model/field.ts'
import { choice, flag, integer, list, longText, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { pathText } from '../../resources/attributes/path.ts'
import { webAddress } from '../../resources/attributes/web-address.ts'
import { numbered } from './numbered.ts'

/** Who sees a group or a space: everybody who sees what it is in, those who are in it, or those alone, and others not even that it exists. */
const access = () => ({
  ...numbered(['is_open', 'is_private', 'is_secret'], '0: open, 1: private, 2: secret'),
  consequence: { says: 'changes who sees what members wrote' },
})

const off = (about?: string) => flag({ nullable: true, initial: false, ...(about !== undefined && { about }) })
const on = (about?: string) => flag({ nullable: true, initial: true, ...(about !== undefined && { about }) })
const image = () => reference('image', { nullable: true })
const words = () => text({ nullable: true })
const upgrade_url = webAddress('Where those are led who have no access')
const path = () => pathText({ about: 'Absent: made from the name' })
/** Paths that it had before. They stay its own, so that links in sent mails still lead to it. */
const formerPaths = () => managed(list(text(), { initial: [] }), { shown: 'never' })

type WithSpaces = { readonly space_ids: readonly number[] }

/** Space of a group, in which members post. Older clients know it as a topic. */
export const space = model('communities/space', {
  stream: 'community',
  owner: 'community_id',
  attributes: {
    space_group_id: managed(reference('communities/space_group', { required: true })),
    name: text({ required: true, trim: true }),
    access: access(),
    current_path: path(),
    former_paths: formerPaths(),
    emoji: words(),
    card_image_id: image(),
    social_image_id: image(),
    members_can_post: on(),
    members_can_invite: off(),
    allow_post_titles: on(),
    allow_cover_images: on(),
    hide_from_featured: off(),
    layout_style: words(),
    default_tab: words(),
    default_post_sort: words(),
    default_comment_sort: words(),
    default_member_sort: words(),
    pinned_posts_label: words(),
    seo_title: words(),
    seo_description: longText({ nullable: true }),
    sort_order: integer({ nullable: true, min: 0, about: 'Place in the group. Absent: behind all others' }),
    always_on: off(),
    upgrade_url,
  },
  events: {
    SpaceAdded: { creates: true, except: ['former_paths'] },
    SpaceChanged: { changes: 'rest' },
    SpaceRemoved: { ends: true },
    SpaceGroupRemoved: { ends: true, of: ({ space_ids }: WithSpaces) => space_ids },
  },
})

/** Section of a community that holds spaces. */
export const spaceGroup = model('communities/space_group', {
  stream: 'community',
  owner: 'community_id',
  attributes: {
    name: text({ required: true, trim: true }),
    description: longText({ nullable: true }),
    access: access(),
    group_type: numbered(['standard', 'course'], '0: standard, 1: course'),
    current_path: path(),
    former_paths: formerPaths(),
    emoji: words(),
    card_image_id: image(),
    auto_add_to_spaces: off('true: who is in a space of the group gets into those that are added'),
    approval_terms: longText({ nullable: true }),
    require_post_approvals: off(),
    require_post_approvals_override: off('true: wins over the setting of the community'),
    require_comment_approvals: off(),
    require_comment_approvals_override: off('true: wins over the setting of the community'),
    is_hidden: off('true: the menu shows members only the spaces that they are in'),
    is_hidden_from_non_members: off('true: only those see it who are in one of its spaces'),
    always_on: off(),
    upgrade_url,
    sort_order: integer({ nullable: true, min: 0, about: 'Place in the community. Absent: behind all others' }),
  },
  events: {
    SpaceGroupAdded: { creates: true, except: ['former_paths'] },
    SpaceGroupChanged: { changes: 'rest' },
    SpaceGroupRemoved: { ends: true },
  },
})

/** Community with its groups and their spaces. They share one stream, since their order and their paths are decided together. */
export const community = model('community', {
  attributes: {
    name: text({ required: true, trim: true }),
    status: choice(['live', 'draft'], {
      nullable: true,
      initial: 'live',
      consequence: { says: 'shows or hides a community' },
    }),
    private: flag({
      ...{ nullable: true, initial: false, about: 'true: visitors see nothing of it' },
      consequence: { says: 'changes who sees what members wrote' },
    }),
    current_path: path(),
    former_paths: formerPaths(),
    logo_image_id: image(),
    social_image_id: image(),
    seo_title: words(),
    seo_description: longText({ nullable: true }),
    seo_indexable: on(),
    white_label: off(),
    allow_public_signup: flag({
      nullable: true,
      initial: false,
      consequence: { says: 'lets everybody in', unless: [false] },
    }),
    upgrade_url,
    send_membership_email: on(),
    send_digest_email: on(),
    require_post_approvals: off(),
    require_comment_approvals: off(),
    anyone_can_invite: off(),
    invite_only: off('true: one joins by invitation alone'),
    enable_block_list: off(),
    notifications: choice(['all', 'essential', 'off'], {
      nullable: true,
      initial: 'all',
      consequence: { says: 'changes who gets mail' },
    }),
  },
  events: { CommunityCreated: { creates: true, except: ['former_paths'] }, CommunityChanged: { changes: 'rest' } },
  children: {
    groups: { model: spaceGroup, key: 'space_group_id' },
    spaces: { model: space, key: 'space_id' },
  },
  unique: [{ attributes: ['current_path'], says: 'Current path has already been taken' }],
})
