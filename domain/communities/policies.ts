import { type Ask, ask, within } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { type Batch, policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { community, space, spaceGroup } from './community/model.ts'
import { membership } from './membership/model.ts'
import { participations } from './membership/rules.ts'
import { commentRules } from './post/comment-rules.ts'
import { comment } from './post/model.ts'

/** Replies that can be on their way to a comment while it goes. */
const MOST_REPLIES = 200

/** Removes the place of a deleted comment with the last reply to it. */
export const emptyPlacesGo = policy({
  name: 'places-of-comments-go-with-replies',
  on: [comment.event.CommentRemoved],
  react: ({ data: { parent_comment_id: id } }) => (id === null ? [] : [ask(commentRules, id, 'tidy', {})]),
})

/**
 * Lets replies stand by themselves whose comment is gone. Whether there are replies is decided by documents, so a comment can go while somebody answers it.
 * One of the two events comes later in the log, and what follows from it sees both.
 */
export const repliesOutliveComments = policy({
  name: 'replies-outlive-comments',
  on: [comment.event.CommentWritten, comment.event.CommentRemoved],
  when: ({ type, data }) => type === comment.event.CommentRemoved.type || typeof data.parent_comment_id === 'number',
  async react({ type, stream, data: { parent_comment_id } }, documents): Promise<readonly Ask[]> {
    const { id } = parseStream(stream)
    const loses = (replyId: number) => ask(commentRules, replyId, 'losePlace', {})
    // A reply that is merely hidden from here has lost nothing, nor has one to a comment that is.
    const { everywhere } = documents
    if (type === comment.event.CommentWritten.type)
      return (await everywhere.get(comment.name, Number(parent_comment_id))) ? [] : [loses(id)]
    const replies = await everywhere.find(comment.name, { where: { parent_comment_id: id }, limit: MOST_REPLIES })
    return replies.map((one) => loses(Number(one.id)))
  },
})

/** Brings those who are in a space of a group into a space that is added to it, where the group says so. */
export const membersGetNewSpaces = policy({
  name: 'members-get-new-spaces',
  on: [community.event.SpaceAdded],
  async react({ data: { space_id, space_group_id } }, documents): Promise<readonly Batch[]> {
    const read = readerOver(documents)
    const group = await read.one(spaceGroup, space_group_id)
    if (!group?.auto_add_to_spaces) return []
    const others = await read.find(space, { where: { space_group_id } })
    const ids = others.flatMap(({ id }) => (id === space_id ? [] : [id]))
    return ids.map((id) => ({
      each: membership.name,
      where: { space_ids: id },
      one: (memberId, { participation_id }) =>
        ask(within(participations, Number(participation_id), membership), memberId, 'enter', { space_ids: [space_id] }),
    }))
  },
})
