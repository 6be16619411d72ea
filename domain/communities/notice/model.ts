import { managed } from '../../kernel/model/field.ts'
import { flag, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { comment, post } from '../post/model.ts'

type Mentioned = { readonly contact_ids: readonly number[]; readonly told_ids: readonly number[] }
type Held = { readonly mentioned_ids: readonly number[]; readonly told_ids: readonly number[] } | undefined

const ids = () => managed(list(integer(), { initial: [] }))

/** Whom a post or a comment was told to. There is one for each, so that nobody is mailed twice, however often it is edited and approved. */
export const notice = model('communities/notice', {
  attributes: {
    /** `post-12`, or `comment-34`. */
    about: managed(text({ required: true })),
    community_id: managed(reference('community', { required: true })),
    post_id: managed(reference(post.name, { required: true, onTargetEnd: { act: 'remove' } })),
    comment_id: managed(reference(comment.name, { nullable: true, onTargetEnd: 'keep' })),
    /** Everybody who was ever mentioned in it. */
    mentioned_ids: ids(),
    /** Those of them who were mailed for that. */
    told_ids: ids(),
    is_announced: managed(flag({ initial: false })),
  },
  events: {
    NoticeBegan: { creates: true, only: ['about', 'community_id', 'post_id', 'comment_id'] },
    MembersMentioned: {
      evolve: (before: Held, { contact_ids, told_ids }: Mentioned) => ({
        mentioned_ids: [...(before?.mentioned_ids ?? []), ...contact_ids],
        told_ids: [...(before?.told_ids ?? []), ...told_ids],
      }),
    },
    /** Those learn of a comment to whom it replies; of a post, all who follow the community. */
    WritingAnnounced: {
      evolve: (_: unknown, __: { readonly to_ids: readonly number[]; readonly is_quiet: boolean }) => ({
        is_announced: true,
      }),
    },
    NoticeRemoved: { ends: true },
  },
  unique: [{ attributes: ['about'], says: 'About has already been taken' }],
})
