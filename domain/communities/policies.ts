import { ask, within } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { type Batch, policy } from '../kernel/react/policy.ts'
import { community, space, spaceGroup } from './community/model.ts'
import { membership } from './membership/model.ts'
import { participations } from './membership/rules.ts'
import { commentRules } from './post/comment-rules.ts'
import { comment } from './post/model.ts'

/** Removes the place of a deleted comment with the last reply to it. */
export const emptyPlacesGo = policy({
  name: 'places-of-comments-go-with-replies',
  on: [comment.event.CommentRemoved],
  react: ({ data: { parent_comment_id: id } }) => (id === null ? [] : [ask(commentRules, id, 'tidy', {})]),
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
