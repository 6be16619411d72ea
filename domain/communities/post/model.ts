import { Type } from 'typebox'
import { addedData } from '../../kernel/model/event-types.ts'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, list, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { pathText } from '../../resources/attributes/path.ts'
import { requiredWebAddress } from '../../resources/attributes/web-address.ts'
import {
  approved,
  changed,
  declined,
  isPending,
  isShown,
  isWaiting,
  moderation,
  NOT_YET,
  reported,
  reportsDismissed,
} from './moderation.ts'
import { PROVIDERS } from './video.ts'

const goesWith = { required: true, onTargetEnd: { act: 'remove' } } as const
const by = (about: string) => reference('contact', { nullable: true, immutable: true, onTargetEnd: 'keep', about })
const byContact = () => reference('contact', { required: true, immutable: true, onTargetEnd: 'keep', shown: 'never' })

/** Turns of a pin that are remembered. No walk through a list sees more. */
const MOST_TURNS = 100

/** Fold that remembers when a post was pinned or unpinned. */
const turnsPin = {
  evolve: (before: { readonly pin_turns: readonly string[] } | undefined, _: unknown, { at }: FoldContext) => ({
    pin_turns: [...(before?.pin_turns ?? []), at].slice(-MOST_TURNS),
  }),
} as const

/** Post in a space of a community. */
export const post = model('communities/spaces/post', {
  attributes: {
    space_id: managed(reference('communities/space', goesWith)),
    community_id: managed(reference('community', { required: true })),
    contact_id: by('The author'),
    title: text({ required: true, trim: true }),
    /** As it was sent. Its text is shown. */
    body: longText({ nullable: true, shown: 'never', about: 'HTML' }),
    image_id: reference('image', { nullable: true }),
    is_pinned: flag({ nullable: true, initial: false }),
    /** When it was pinned or unpinned, the last times: whoever goes through a list goes on by what was pinned when it began. */
    pin_turns: managed(list(moment(), { initial: [] }), { shown: 'never' }),
    current_path: pathText({ about: 'Only for tracking' }),
    ...moderation,
  },
  events: {
    PostWritten: { creates: true, except: [...NOT_YET, 'pin_turns'] },
    PostChanged: changed,
    /** Its author changed what was approved: that stays up until somebody approves the edit. */
    PostEditProposed: { sets: ['pending_edit'] },
    PostEditWithdrawn: { constants: { pending_edit: null } },
    PostEditDeclined: { constants: { pending_edit: null } },
    PostPinned: { constants: { is_pinned: true }, ...turnsPin },
    PostUnpinned: { constants: { is_pinned: false }, ...turnsPin },
    PostApproved: approved,
    PostDeclined: declined,
    PostReported: reported,
    PostReportsDismissed: reportsDismissed,
    PostRemoved: { ends: true },
  },
  // Lists of the members' side.
  derives: {
    version: 2,
    of: (record) => ({
      shown_in: isShown(record) ? record.space_id : null,
      /** Also of what was pinned once: whoever goes through those that were pinned when it began finds it. */
      pinned_in: isShown(record) && (record.is_pinned || record.pin_turns.length > 0) ? record.space_id : null,
      waiting_in: isWaiting(record) ? record.community_id : null,
    }),
  },
})

/** Comment on a post, or a reply to another comment. */
export const comment = model('communities/spaces/posts/comment', {
  attributes: {
    post_id: managed(reference('communities/spaces/post', { required: true, onTargetEnd: { act: 'goWithPost' } })),
    community_id: managed(reference('community', { required: true })),
    contact_id: by('The author'),
    body: longText({ required: true, shown: 'never', about: 'HTML' }),
    parent_comment_id: reference('communities/spaces/posts/comment', {
      nullable: true,
      immutable: true,
      onTargetEnd: 'keep',
      about: 'The comment that it replies to',
    }),
    skip_notifications: flag({ nullable: true, initial: false }),
    /** When it was deleted and left its place, since there are replies to it. */
    emptied_at: managed(moment({ nullable: true })),
    ...moderation,
  },
  events: {
    CommentWritten: { creates: true, except: [...NOT_YET, 'emptied_at'] },
    CommentChanged: changed,
    CommentEditProposed: { sets: ['pending_edit'] },
    CommentEditWithdrawn: { constants: { pending_edit: null } },
    CommentEditDeclined: { constants: { pending_edit: null } },
    CommentApproved: approved,
    CommentDeclined: declined,
    CommentReported: reported,
    CommentReportsDismissed: reportsDismissed,
    CommentEmptied: { stamps: 'emptied_at', constants: { body: '', contact_id: null, pending_edit: null } },
    CommentRemoved: { ends: true, addsData: addedData<{ readonly parent_comment_id: number | null }>() },
  },
  derives: {
    version: 1,
    of: (record) => {
      const isWhole = record.emptied_at === null
      const isThere = isShown(record)
      return {
        shown_on: isThere ? record.post_id : null,
        counted_on: isThere && isWhole ? record.post_id : null,
        waiting_in: isWaiting(record) && isWhole ? record.community_id : null,
        waiting_on: isPending(record) && isWhole ? record.post_id : null,
      }
    },
  },
})

/** What a contact liked: a post. */
export const postLike = model('communities/spaces/posts/like', {
  attributes: { post_id: managed(reference(post.name, goesWith)), contact_id: byContact() },
  events: { PostLiked: { creates: true }, PostUnliked: { ends: true } },
  unique: [{ attributes: ['contact_id', 'post_id'], says: 'Contact likes this post already' }],
})

/** What a contact liked: a comment. */
export const commentLike = model('communities/spaces/posts/comments/like', {
  attributes: { comment_id: managed(reference(comment.name, goesWith)), contact_id: byContact() },
  events: { CommentLiked: { creates: true }, CommentUnliked: { ends: true } },
  unique: [{ attributes: ['contact_id', 'comment_id'], says: 'Contact likes this comment already' }],
})

/** That a contact read a post, and when it did last. */
export const postView = model('communities/spaces/posts/view', {
  attributes: {
    post_id: managed(reference(post.name, goesWith)),
    contact_id: byContact(),
    viewed_at: managed(moment({ required: true })),
  },
  /** It is viewed again and again. */
  events: { PostViewed: { creates: true }, PostViewRemoved: { ends: true } },
  unique: [{ attributes: ['contact_id', 'post_id'], says: 'Contact has viewed this post already' }],
})

const details = () =>
  data<JsonObject | null, { readonly nullable: true; readonly about: string }>(
    Type.Record(Type.String(), Type.Unknown()),
    {
      nullable: true,
      about: 'What the provider tells about it',
    },
  )

/** Video in a post. */
export const videoEmbed = model('communities/spaces/posts/video_embed', {
  attributes: {
    post_id: managed(reference(post.name, goesWith)),
    provider: managed(
      choice(PROVIDERS, { nullable: true, about: 'By the host of the address; null: shown as a link' }),
    ),
    url: requiredWebAddress('Where the video is'),
    data: details(),
  },
  events: { VideoEmbedded: { creates: true }, VideoTakenOut: { ends: true } },
})
