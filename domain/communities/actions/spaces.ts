import { type Ask, ask, within } from '../../kernel/decide/ask.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import { list, reference } from '../../kernel/model/fields.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { job } from '../../resources/jobs/job.ts'
import { underCommunity } from '../community/index.ts'
import { space } from '../community/model.ts'
import { membership } from '../membership/model.ts'
import { participations } from '../membership/rules.ts'
import { followed } from './status.ts'

/** Members to whom actions can be applied: those of one community. */
export const memberTargets = { resource: membership.name, all: {}, within: underCommunity.field } as const

// Whether the spaces are still there is checked when the action runs.
const attributes = {
  space_ids: list(reference(space.name), { nullable: true, initial: [], max: 100, onTargetEnd: 'keep' }),
}

/** Returns why an action on spaces cannot be carried out: it names none, or one of another community. */
const objection = async (
  { space_ids, community_id }: JsonObject,
  _workspaceId: number,
  read: Reader,
): Promise<Refusal | undefined> => {
  const ids = Array.isArray(space_ids) ? space_ids.map(Number) : []
  if (ids.length === 0) return refuse.invalid('Please select at least one topic.', 'space_ids', 'blank')
  const found = await read.many(space, ids)
  const isForeign = found.some((one) => one.community_id !== community_id)
  return isForeign ? refuse.invalid('Space ids must be of the community', 'space_ids', 'inclusion') : undefined
}

/** Returns the command that moves a member, unless it has left meanwhile. */
const moving =
  (act: 'enter' | 'leave') =>
  async (
    { space_ids }: { readonly space_ids: readonly number[] },
    memberId: number,
    { read }: { readonly read: Reader },
  ): Promise<Ask | Refusal> => {
    const found = await read.one(membership, memberId)
    if (!found) return refuse.notFound('Contact is no member any more, or banned')
    return ask(within(participations, found.participation_id, membership), memberId, act, { space_ids })
  }

/** Communities::Memberships::AddToGroupAction: brings many members into spaces. */
export const addToGroupAction = job({
  name: 'communities/memberships/add_to_group_action',
  title: 'Communities::Memberships::AddToGroupAction',
  consequence: 'gives something to many members',
  root: 'communities_memberships_add_to_group_action',
  category: 'community',
  under: underCommunity,
  events: {
    queued: 'AddToGroupActionQueued',
    started: 'AddToGroupActionStarted',
    advanced: 'AddToGroupActionAdvanced',
    completed: 'AddToGroupActionCompleted',
    removed: 'AddToGroupActionRemoved',
  },
  sealedFromTheStart: true,
  view: followed,
  targets: memberTargets,
  attributes,
  objection,
  paths: {
    create: [
      'createCommunitiesMembershipsAddToGroupActions',
      '/communities/{community_id}/memberships/add_to_group_actions',
    ],
    show: ['getCommunitiesMembershipsAddToGroupActions', '/communities/memberships/add_to_group_actions/{id}'],
  },
  perform: moving('enter'),
})

/** Communities::Memberships::RemoveFromGroupAction: takes many members out of spaces. */
export const removeFromGroupAction = job({
  name: 'communities/memberships/remove_from_group_action',
  title: 'Communities::Memberships::RemoveFromGroupAction',
  consequence: 'takes something from many members',
  root: 'communities_memberships_remove_from_group_action',
  category: 'community',
  under: underCommunity,
  events: {
    queued: 'RemoveFromGroupActionQueued',
    started: 'RemoveFromGroupActionStarted',
    advanced: 'RemoveFromGroupActionAdvanced',
    completed: 'RemoveFromGroupActionCompleted',
    removed: 'RemoveFromGroupActionRemoved',
  },
  sealedFromTheStart: true,
  view: followed,
  targets: memberTargets,
  attributes,
  objection,
  paths: {
    create: [
      'createCommunitiesMembershipsRemoveFromGroupActions',
      '/communities/{community_id}/memberships/remove_from_group_actions',
    ],
    show: [
      'getCommunitiesMembershipsRemoveFromGroupActions',
      '/communities/memberships/remove_from_group_actions/{id}',
    ],
  },
  perform: moving('leave'),
})
