import { ask, within } from '../../kernel/decide/ask.ts'
import { text } from '../../kernel/model/fields.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { job, type PerformDeps } from '../../resources/jobs/job.ts'
import { contactOfUser } from '../author.ts'
import { underCommunity } from '../community/index.ts'
import { ban, MOST_OF_REASON, membership } from '../membership/model.ts'
import { participations } from '../membership/rules.ts'
import { memberTargets } from './spaces.ts'
import { followed } from './status.ts'

/** Bans to which actions can be applied: those of one community. */
export const banTargets = { resource: ban.name, all: {}, within: underCommunity.field } as const

/** Members whom a ban of all reaches: who moderates is banned by name alone. */
const banned = { ...memberTargets, all: { moderator: { $ne: true } } } as const

/** Returns the contact of who asked for a ban. */
const askerOf = async (created_by_id: number | null, workspaceId: number, { read, token }: PerformDeps) => {
  const by = created_by_id === null ? undefined : await read.documents.get('membership', created_by_id)
  const deps = { read: read.documents, vault: { token } }
  return by && contactOfUser(Number(by.user_id), workspaceId, deps)
}

/** Communities::Memberships::BanAction: bans many members. Who has left meanwhile is not banned, nor are moderators and who asks by a ban of all. */
export const banAction = job({
  name: 'communities/memberships/ban_action',
  title: 'Communities::Memberships::BanAction',
  consequence: 'bans many members',
  root: 'communities_memberships_ban_action',
  category: 'community',
  under: underCommunity,
  events: {
    queued: 'BanActionQueued',
    started: 'BanActionStarted',
    advanced: 'BanActionAdvanced',
    completed: 'BanActionCompleted',
    removed: 'BanActionRemoved',
  },
  sealedFromTheStart: true,
  view: followed,
  targets: banned,
  attributes: { reason: text({ nullable: true, max: MOST_OF_REASON, about: 'Reason of each ban' }) },
  paths: {
    create: ['createCommunitiesMembershipsBanActions', '/communities/{community_id}/memberships/ban_actions'],
    show: ['getCommunitiesMembershipsBanActions', '/communities/memberships/ban_actions/{id}'],
  },
  async perform({ reason, created_by_id, target_all }, memberId, deps) {
    const { mint, read } = deps
    const found = await read.one(membership, memberId)
    if (!found) return refuse.notFound('Contact is no member any more')
    if (
      target_all &&
      (found.moderator || found.contact_id === (await askerOf(created_by_id, found.workspace_id ?? 0, deps)))
    )
      return refuse.forbidden('Who asks and who moderates are not banned along with all')
    const wanted = { reason, ...(created_by_id !== null && { banned_by_id: created_by_id }) }
    return ask(within(participations, found.participation_id, ban), mint(ban), 'create', wanted)
  },
})

/** Communities::Bans::UnbanAction: ends many bans. */
export const unbanAction = job({
  name: 'communities/bans/unban_action',
  title: 'Communities::Bans::UnbanAction',
  consequence: 'lets many banned people in again',
  root: 'communities_bans_unban_action',
  category: 'community',
  under: underCommunity,
  events: {
    queued: 'UnbanActionQueued',
    started: 'UnbanActionStarted',
    advanced: 'UnbanActionAdvanced',
    completed: 'UnbanActionCompleted',
    removed: 'UnbanActionRemoved',
  },
  sealedFromTheStart: true,
  view: followed,
  targets: banTargets,
  attributes: {},
  paths: {
    create: ['createCommunitiesBansUnbanActions', '/communities/{community_id}/bans/unban_actions'],
    show: ['getCommunitiesBansUnbanActions', '/communities/bans/unban_actions/{id}'],
  },
  async perform(_action, banId, { read }) {
    const found = await read.one(ban, banId)
    return found ? ask(within(participations, found.participation_id, ban), banId, 'remove', {}) : []
  },
})
