import { Type } from 'typebox'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { choice, longText, reference, text } from '../../kernel/model/fields.ts'
import type { FoldedEvent } from '../../kernel/values/event.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { crud } from '../../resources/crud.ts'
import { list, show } from '../../resources/operations.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { named } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { asks, creates, removes } from '../../resources/writes.ts'
import { authored } from '../author.ts'
import { space } from '../community/model.ts'
import { kept } from '../kept.ts'
import { contactShown } from '../member.ts'
import { readMentions } from '../mentions.ts'
import { MOST_MENTIONED } from '../notice/bound.ts'
import { commentPath, postPath } from '../paths.ts'
import { commentRules } from './comment-rules.ts'
import { commentLikes, postLikes } from './like-rules.ts'
import { comment, commentLike, post, postLike, videoEmbed } from './model.ts'
import { isPending } from './moderation.ts'
import { moderates } from './moderation-operations.ts'
import { posts, videoEmbeds } from './rules.ts'
import { textShown } from './text-shown.ts'
import { readAt, urlAt } from './url.ts'
import { PROVIDERS } from './video.ts'

const POST = '/communities/spaces/posts/{id}'
const POSTS = '/communities/spaces/{space_id}/posts'
const COMMENT = '/communities/spaces/posts/comments/{id}'
const COMMENTS = '/communities/spaces/posts/{post_id}/comments'
const LIKES = '/communities/spaces/posts/{post_id}/likes'
const COMMENT_LIKES = '/communities/spaces/posts/comments/{comment_id}/likes'
const VIDEOS = '/communities/spaces/posts/{post_id}/video_embeds'

const underPost = { param: 'post_id', resource: post.name, field: 'post_id' } as const

/** Shows the group that a space is in. It is blank while a space that is gone takes its posts along. */
const groupOf = async (space_id: number | undefined, load: Loader) => {
  const found = await load.one(space.name, space_id)
  const group = await load.one('communities/space_group', found && Number(found.space_group_id))
  return group ? named.of(group, load) : { id: Number(found?.space_group_id ?? 0), public_id: '', name: '' }
}

const is_pending = { schema: Type.Boolean(), of: isPending }

/** Says to the author how many of those whom a text mentions are not mailed for it, since it mentions too many. */
const mentions_not_mailed_count = {
  schema: Type.Integer({ description: `Contacts mentioned beyond the first ${MOST_MENTIONED}, who get no mail` }),
  of: async ({ body }: { readonly body: string | null }) =>
    Math.max(0, (await readMentions(body)).length - MOST_MENTIONED),
}

const wherePosted = async ({ stream }: Pick<FoldedEvent, 'stream'>, documents: FactReader) => {
  const found = await readerOver(documents).one(post, parseStream(stream).id)
  const { community_id = null, space_id: communities_space_id = null } = found ?? {}
  return { contact_id: found?.contact_id ?? null, conditions: { community_id, communities_space_id } }
}

const SHOWS = 'shows something to members, who may be told of it by mail'
const ofPost = moderates(POST, 'post')
const ofComment = moderates(COMMENT, 'comment')

/** Communities::Spaces::Post. */
export const postResource = serve(post, posts, {
  title: 'Communities::Spaces::Post',
  root: 'communities_spaces_post',
  category: 'community',
  under: { param: 'space_id', resource: space.name, field: 'space_id' },
  goesWithOwner: true,
  indexes: [
    { fields: ['community_id'], sort: 'approved_at' },
    { fields: ['shown_in'], sort: 'created_at' },
    { fields: ['pinned_in'], sort: 'created_at' },
    { fields: ['waiting_in'], sort: 'report_count' },
    { fields: ['waiting_in', 'contact_id'] },
  ],
  reads: ['contact', 'image', 'user'],
  view: {
    url: urlAt(postPath),
    is_pending,
    mentions_not_mailed_count,
    contact: contactShown,
    group: { schema: named.schema, of: ({ space_id }, load) => groupOf(space_id, load) },
    topic: { one: 'space_id', shows: named },
    ...textShown,
  },
  operations: {
    ...crud('CommunitiesSpacesPosts', POSTS, POST, {
      create: { consequence: SHOWS, prepare: authored },
      change: {
        except: ['contact_id'],
        ...kept('title', text({ nullable: true, trim: true, keepsBlank: true, about: 'null: stays as it is' })),
      },
    }),
    approveCommunitiesSpacesPost: ofPost.approve,
    declineCommunitiesSpacesPost: ofPost.decline,
    declineEditCommunitiesSpacesPost: ofPost.declineEdit,
    dismissReportsCommunitiesSpacesPost: ofPost.dismissReports,
    pinCommunitiesSpacesPost: asks(`${POST}/pin`, 'pin', {
      consequence: null,
      summary: 'Pins a post at the top of its space',
    }),
    unpinCommunitiesSpacesPost: asks(`${POST}/unpin`, 'unpin', {
      consequence: null,
      summary: 'Takes a post from the top of its space',
    }),
  },
  publishes: {
    '$community.post': {
      on: ['PostWritten'],
      about: 'Somebody posted in a space of a community.',
      alias: 'communities/post.created',
      concerns: wherePosted,
    },
  },
})

const postNamed = {
  schema: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    title: nullableString,
    url: nullableString,
  }),
  async of({ post_id, workspace_id = 0 }: { readonly post_id: number; readonly workspace_id?: number }, load: Loader) {
    const found = await load.one(post.name, post_id)
    const url = await readAt(load, workspace_id, postPath(post_id))
    return { id: post_id, public_id: String(found?.public_id ?? ''), title: String(found?.title ?? ''), url }
  },
}

/** Communities::Spaces::Post::Comment. */
export const commentResource = serve(comment, commentRules, {
  title: 'Communities::Spaces::Post::Comment',
  root: 'communities_spaces_posts_comment',
  category: 'community',
  under: underPost,
  goesWithOwner: true,
  indexes: [
    { fields: ['parent_comment_id'] },
    { fields: ['shown_on'] },
    { fields: ['counted_on'] },
    { fields: ['waiting_in'], sort: 'report_count' },
    { fields: ['waiting_on'] },
  ],
  view: {
    url: urlAt(commentPath),
    mentions_not_mailed_count,
    is_pending,
    contact: contactShown,
    group: {
      schema: named.schema,
      async of({ post_id }, load) {
        const found = await load.one(post.name, post_id)
        return groupOf(found && Number(found.space_id), load)
      },
    },
    post: postNamed,
    ...textShown,
  },
  operations: {
    ...crud('CommunitiesSpacesPostsComments', COMMENTS, COMMENT, {
      create: { consequence: SHOWS, prepare: authored },
      change: {
        except: ['contact_id', 'parent_comment_id'],
        ...kept('body', longText({ nullable: true, about: 'HTML; null: stays as it is' })),
      },
    }),
    approveCommunitiesSpacesPostsComment: ofComment.approve,
    declineCommunitiesSpacesPostsComment: ofComment.decline,
    declineEditCommunitiesSpacesPostsComment: ofComment.declineEdit,
    dismissReportsCommunitiesSpacesPostsComment: ofComment.dismissReports,
  },
  publishes: {
    '$communities.comment_created': {
      on: ['CommentWritten'],
      about: 'Somebody commented on a post of a community.',
      alias: 'communities/posts/comment.created',
    },
  },
})

/** Declares the creation of a like: a repeated one is the one that is there. */
const liking = (path: string, root: string) =>
  creates(path, {
    upsert: 'contact_id',
    prepare: authored,
    body: {
      root,
      fields: { contact_id: reference('contact', { nullable: true, about: 'Default: that of the caller' }) },
      mode: 'create',
      optional: true,
    },
  })

/** Communities::Spaces::Post::Like. */
export const postLikeResource = serve(postLike, postLikes, {
  title: 'Communities::Spaces::Post::Like',
  root: 'communities_spaces_posts_like',
  category: 'community',
  under: underPost,
  goesWithOwner: true,
  indexes: [{ fields: ['post_id', 'contact_id'] }],
  view: { contact: contactShown },
  operations: {
    listCommunitiesSpacesPostsLikes: list(LIKES),
    createCommunitiesSpacesPostsLikes: liking(LIKES, 'communities_spaces_posts_like'),
    removeCommunitiesSpacesPostsLikes: removes('/communities/spaces/posts/likes/{id}'),
  },
})

/** Communities::Spaces::Post::Comment::Like. */
export const commentLikeResource = serve(commentLike, commentLikes, {
  title: 'Communities::Spaces::Post::Comment::Like',
  root: 'communities_spaces_posts_comments_like',
  category: 'community',
  under: { param: 'comment_id', resource: comment.name, field: 'comment_id' },
  goesWithOwner: true,
  indexes: [{ fields: ['comment_id', 'contact_id'] }],
  view: { contact: contactShown },
  operations: {
    listCommunitiesSpacesPostsCommentsLikes: list(COMMENT_LIKES),
    createCommunitiesSpacesPostsCommentsLikes: liking(COMMENT_LIKES, 'communities_spaces_posts_comments_like'),
    removeCommunitiesSpacesPostsCommentsLikes: removes('/communities/spaces/posts/comments/likes/{id}'),
  },
})

/** Communities::Spaces::Post::VideoEmbed. */
export const videoEmbedResource = serve(videoEmbed, videoEmbeds, {
  title: 'Communities::Spaces::Post::VideoEmbed',
  root: 'communities_spaces_posts_video_embed',
  category: 'community',
  under: underPost,
  goesWithOwner: true,
  view: { workspace_id: { schema: Type.Integer(), of: ({ workspace_id = 0 }) => workspace_id } },
  operations: {
    listCommunitiesSpacesPostsVideoEmbeds: list(VIDEOS),
    createCommunitiesSpacesPostsVideoEmbeds: creates(VIDEOS, {
      input: { provider: choice(PROVIDERS, { nullable: true, about: 'Ignored: it follows from the address' }) },
    }),
    getCommunitiesSpacesPostsVideoEmbeds: show('/communities/spaces/posts/video_embeds/{id}'),
    removeCommunitiesSpacesPostsVideoEmbeds: removes('/communities/spaces/posts/video_embeds/{id}'),
  },
})
