import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, flag, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model } from '../../kernel/model/model.ts'
import { comment, post } from '../post/model.ts'

/** Contact who was mentioned and got no mail for it, and since when that is so. */
export type Untold = { readonly contact_id: number; readonly at: string }

type Mentioned = { readonly contact_ids: readonly number[]; readonly told_ids: readonly number[] }
type Withheld = { readonly contact_ids: readonly number[]; readonly muted_ids: readonly number[] }

interface Held {
  readonly mentioned_ids: readonly number[]
  readonly told_ids: readonly number[]
  readonly missed_ids: readonly number[]
  readonly untold: readonly Untold[]
  readonly unannounced_ids: readonly number[]
}

const NOBODY: Held = { mentioned_ids: [], told_ids: [], missed_ids: [], untold: [], unannounced_ids: [] }

const ids = () => managed(list(integer(), { initial: [] }))

const except = (all: readonly number[], some: readonly number[]): readonly number[] =>
  all.filter((id) => !some.includes(id))

/** Notes that some contacts come up in a text, of whom some are mailed. The others have got nothing since then. */
const told = ({ told_ids, missed_ids, untold }: Held, { contact_ids, told_ids: now }: Mentioned, at: string) => ({
  told_ids: [...told_ids, ...now],
  missed_ids: except(missed_ids, contact_ids),
  untold: [
    ...untold.filter(({ contact_id }) => !contact_ids.includes(contact_id)),
    ...except(contact_ids, now).map((contact_id) => ({ contact_id, at })),
  ],
})

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
    /** Those of them who were mailed for that, or are about to be. */
    told_ids: ids(),
    /** Those whose mail was withheld, though they want it: they are told when it is shown again. */
    missed_ids: ids(),
    /** Those who got no mail, for whatever reason: digests have them. Who came last is behind. */
    untold: managed(
      data<readonly Untold[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
    ),
    is_announced: managed(flag({ initial: false })),
    /** Those who did not see it when the mail that announces it was handed over: they get it when it is shown again. */
    unannounced_ids: ids(),
  },
  events: {
    NoticeBegan: { creates: true, only: ['about', 'community_id', 'post_id', 'comment_id'] },
    /** They are mentioned for the first time. */
    MembersMentioned: {
      evolve: (before: Held | undefined, data: Mentioned, { at }: FoldContext) => ({
        mentioned_ids: [...(before ?? NOBODY).mentioned_ids, ...data.contact_ids],
        ...told(before ?? NOBODY, data, at),
      }),
    },
    /** They did not see it, or had it turned off, when their mail was handed over. */
    MentionsWithheld: {
      evolve: (before: Held | undefined, { contact_ids, muted_ids }: Withheld, { at }: FoldContext) => {
        const held = told(before ?? NOBODY, { contact_ids, told_ids: [] }, at)
        const missed_ids = [...held.missed_ids, ...except(contact_ids, muted_ids)]
        return { ...held, missed_ids, told_ids: except(held.told_ids, contact_ids) }
      },
    },
    /** It is shown again to those who got no mail. */
    MembersMentionedAgain: {
      evolve: (before: Held | undefined, data: Mentioned, { at }: FoldContext) => told(before ?? NOBODY, data, at),
    },
    /** Those learn of a comment to whom it replies; of a post, all who follow the community. */
    WritingAnnounced: {
      evolve: (_: unknown, __: { readonly to_ids: readonly number[]; readonly is_quiet: boolean }) => ({
        is_announced: true,
      }),
    },
    /** They did not see it when that mail was handed over. */
    AnnouncementWithheld: {
      evolve: (before: Held | undefined, { contact_ids }: { readonly contact_ids: readonly number[] }) => ({
        unannounced_ids: [...(before ?? NOBODY).unannounced_ids, ...contact_ids],
      }),
    },
    /** It is shown again to those who did not get that mail. */
    WritingAnnouncedAgain: {
      evolve: (before: Held | undefined, { to_ids }: { readonly to_ids: readonly number[] }) => ({
        unannounced_ids: except((before ?? NOBODY).unannounced_ids, to_ids),
      }),
    },
    NoticeRemoved: { ends: true },
  },
  derives: {
    version: 1,
    of: ({ community_id, untold }) => ({
      untold_in: untold.length > 0 ? community_id : null,
      untold_at: untold.at(-1)?.at ?? null,
    }),
  },
  unique: [{ attributes: ['about'], says: 'About has already been taken' }],
})
