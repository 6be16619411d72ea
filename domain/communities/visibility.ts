import type { RecordOf } from '../kernel/model/model.ts'
import type { community, space, spaceGroup } from './community/model.ts'
import { isShown, type Moderated } from './post/moderation.ts'

/** A space with what it is in, as far as it depends on these who sees it. */
export interface Place {
  readonly community: Pick<RecordOf<typeof community>, 'status' | 'private'>
  readonly group: Pick<RecordOf<typeof spaceGroup>, 'id' | 'access' | 'is_hidden_from_non_members'>
  readonly space: Pick<RecordOf<typeof space>, 'id' | 'access'>
}

/** What a contact is in a community. Whoever is banned, has left or never joined is a visitor. */
export interface Member {
  readonly contact_id: number
  readonly moderator: boolean
  readonly space_ids: readonly number[]
  /** Groups that one of these spaces is in. */
  readonly group_ids: readonly number[]
}

/** What a membership says of a member. */
type Joined = Pick<Member, 'contact_id' | 'moderator' | 'space_ids'>

/** Returns the groups of some spaces. @param spaces at least these */
export const groupsOf = (
  spaceIds: readonly number[],
  spaces: readonly Pick<RecordOf<typeof space>, 'id' | 'space_group_id'>[],
): readonly number[] => [
  ...new Set(spaces.flatMap(({ id, space_group_id }) => (spaceIds.includes(id) ? space_group_id : []))),
]

/** Returns what a contact is who is a member. @param spaces at least those that it is in */
export const asMember = (
  { contact_id, moderator, space_ids }: Joined,
  spaces: Parameters<typeof groupsOf>[1],
): Member => ({ contact_id, moderator, space_ids, group_ids: groupsOf(space_ids, spaces) })

/** How much of a space somebody sees: all of it, that it exists, or nothing. The stricter is behind. */
const DEGREES = ['open', 'closed', 'hidden'] as const
export type Degree = (typeof DEGREES)[number]

const OUTSIDE = { is_open: 'open', is_private: 'closed', is_secret: 'hidden' } as const

const strictest = (degrees: readonly Degree[]): Degree =>
  degrees.reduce((most, one) => (DEGREES.indexOf(one) > DEGREES.indexOf(most) ? one : most))

/**
 * Returns how much of a space somebody sees. Of community, group and space the strictest holds. Who moderates sees everything.
 *
 * @param member `undefined`: a visitor
 */
export const degreeOf = ({ community, group, space }: Place, member: Member | undefined): Degree => {
  if (member?.moderator) return 'open'
  if (community.status !== 'live') return 'hidden'
  const isInGroup = member?.group_ids.includes(group.id) ?? false
  const ofCommunity: Degree = community.private && !member ? 'closed' : 'open'
  const ofGroup: Degree = isInGroup ? 'open' : group.is_hidden_from_non_members ? 'hidden' : OUTSIDE[group.access]
  const ofSpace: Degree = member?.space_ids.includes(space.id) ? 'open' : OUTSIDE[space.access]
  return strictest([ofCommunity, ofGroup, ofSpace])
}

/** Whether all members of a community that is live see a space, whatever spaces they are in. */
export const isOpenToMembers = ({ group, space }: Pick<Place, 'group' | 'space'>): boolean =>
  space.access === 'is_open' && group.access === 'is_open' && !group.is_hidden_from_non_members

/** A community, as far as it depends on it whether one may join. */
export type Joinable = Pick<
  RecordOf<typeof community>,
  'status' | 'private' | 'invite_only' | 'allow_public_signup' | 'upgrade_url'
>

/** What was written, as far as it depends on it who sees it. */
export type Written = Pick<Moderated, 'approved_at' | 'declined_at'> & { readonly contact_id: number | null }

/** Whether somebody sees a post or a comment in a space. Its comments, likes, videos and counts ask this as well: each for its post, and then for itself. */
export const sees = (written: Written, place: Place, member: Member | undefined): boolean => {
  if (degreeOf(place, member) !== 'open') return false
  if (isShown(written) || member?.moderator) return true
  return member !== undefined && written.declined_at === null && written.contact_id === member.contact_id
}

/** Conditions of what waits for its approval and a member sees, in a space that is open to it. */
export const waitingFor = ({ moderator, contact_id }: Pick<Member, 'moderator' | 'contact_id'>) => ({
  approved_at: null,
  declined_at: null,
  ...(!moderator && { contact_id }),
})

/** Whether a contact may join a community by itself: it is no matter of invitations, and of no purchase either, unless the public may sign up. */
export const joinsFreely = (one: Joinable): boolean =>
  one.status === 'live' && !one.private && !one.invite_only && (one.allow_public_signup || one.upgrade_url === null)
