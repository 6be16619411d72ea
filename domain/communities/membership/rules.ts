import { contact, isContactKept } from '../../contacts/public.ts'
import { decider } from '../../kernel/decide/decider.ts'
import {
  type ActContext,
  type DecisionContext,
  type Events,
  type Reader,
  rules,
  type StreamRecords,
} from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { community, space, spaceGroup } from '../community/model.ts'
import { asMember, degreeOf, joinsFreely, type Member } from '../visibility.ts'
import { ban, type MailChoices, membership, participation } from './model.ts'
import { type Ends, type Facts, move } from './moving.ts'
import { type Buying, beginBought, buy, follow } from './purchases.ts'

const { event } = participation

type Participations = Events<typeof participation>

/** What one joins with. */
export type Join = {
  readonly space_ids?: readonly number[] | null
  readonly moderator?: boolean | null
  /** Who is a member already is refused. Otherwise it only gets into the spaces as well. */
  readonly onlyNew?: boolean
  /** The contact joins by itself, as far as the community and the spaces are open to it. */
  readonly by_self?: boolean
}
type Joining = { readonly join: Join }
type Spaces = { readonly space_ids: readonly number[] }

/** Reads the spaces of the community, and whether the contact is still there. */
const factsOf = async ({ contact_id, community_id }: Ends, read: Reader): Promise<Facts> => {
  const [of, groups, spaces, found] = await Promise.all([
    read.one(community, community_id),
    read.find(spaceGroup, { where: { community_id } }),
    read.find(space, { where: { community_id } }),
    read.one(contact, contact_id),
  ])
  return { community: of, groups, spaces, isKept: found !== undefined && isContactKept(found) }
}

const loadFacts = ({ before, after }: DecisionContext<typeof participation>, read: Reader) =>
  factsOf(before ?? after, read)
const loadWithin = ({ records, after }: { readonly records: StreamRecords; readonly after: Ends }, read: Reader) =>
  factsOf(records.root(participation) ?? after, read)

const isForeign = (ids: readonly number[], { spaces }: Facts): boolean =>
  ids.some((id) => !spaces.some((one) => one.id === id))
const foreign = () => refuse.invalid('Space ids must be of the community', 'space_ids', 'inclusion')

/** Returns why a contact cannot join a community by itself. */
const closedProblem = ({ community }: Facts): Refusal | undefined => {
  if (community?.status !== 'live') return refuse.notFound()
  return joinsFreely(community) ? undefined : refuse.forbidden('One joins this community by invitation alone')
}

/** Returns why a member cannot get into spaces by itself: one of them is not open to it. */
const shutProblem = (member: Member, wanted: readonly number[], { community, groups, spaces }: Facts) => {
  for (const id of wanted.filter((one) => !member.space_ids.includes(one))) {
    const space = spaces.find((one) => one.id === id)
    const group = groups.find((one) => one.id === space?.space_group_id)
    const degree = community && group && space ? degreeOf({ community, group, space }, member) : 'hidden'
    if (degree === 'hidden') return refuse.notFound()
    if (degree === 'closed') return refuse.forbidden('This space is open only to those who are in it')
  }
  return undefined
}

const banned = () => refuse.invalid('Contact is banned from this community', 'contact_id', 'banned')

/** Returns why a contact cannot join by itself, or get into spaces. @param own its membership, if it has joined before */
const selfProblem = (
  contact_id: number,
  own: RecordOf<typeof membership> | undefined,
  wanted: readonly number[],
  facts: Facts,
): Refusal | undefined => {
  const member = asMember(own ?? { contact_id, moderator: false, space_ids: [] }, facts.spaces)
  return (own ? undefined : closedProblem(facts)) ?? shutProblem(member, wanted, facts)
}

interface JoinInput extends Pick<DecisionContext, 'ids' | 'records'> {
  readonly ends: Ends
  readonly join: Join
}

const joined = ({ ids, records, ends, join }: JoinInput, facts: Facts): Participations | Refusal => {
  const wanted = join.space_ids ?? []
  if (records.all(ban).length > 0) return banned()
  if (!facts.isKept) return refuse.invalid('Contact must exist', 'contact_id', 'not_found')
  const [own] = records.all(membership)
  const problem = join.by_self ? selfProblem(ends.contact_id, own, wanted, facts) : undefined
  if (problem) return problem
  if (isForeign(wanted, facts)) return foreign()
  if (own && join.onlyNew) return refuse.invalid('Contact has already joined this community', 'contact_id', 'taken')
  if (own) return move({ membership_id: own.id, ...own }, [...own.space_ids, ...wanted], facts)
  const membership_id = idAt(ids, 0)
  const { contact_id, community_id } = ends
  return [
    event.MemberJoined({ membership_id, contact_id, community_id, moderator: join.moderator ?? false }),
    ...move({ membership_id, space_ids: [] }, wanted, facts),
  ]
}

const begin = (
  { before, after, wanted: { join }, ids, records }: DecisionContext<typeof participation, Joining & Buying>,
  facts: Facts,
) => (before || !join ? undefined : joined({ ids, records, ends: after, join }, facts))

const joinAgain = (
  { before, wanted: { join }, ids, records }: ActContext<typeof participation, Joining>,
  facts: Facts,
) => joined({ ids, records, ends: before, join }, facts)

/** Makes the contact that the stream is about a member. */
const joinAsNew = ({ id, after, records }: DecisionContext<typeof membership>, facts: Facts) =>
  joined({ ids: [id], records, ends: after, join: { ...after, onlyNew: true } }, facts)

type OfMember<Input = unknown> = ActContext<typeof membership, Input>

/** Returns what a request changes in a membership besides its spaces. */
const changedIn = ({ before, wanted }: OfMember): Partial<MailChoices & { readonly moderator: boolean }> => {
  const { moderator, notifications, send_digest_email: digest } = wanted
  return {
    ...(moderator !== undefined && (moderator ?? false) !== before.moderator && { moderator: moderator ?? false }),
    ...(notifications !== undefined && notifications !== before.notifications && { notifications }),
    ...(digest !== undefined && digest !== before.send_digest_email && { send_digest_email: digest }),
  }
}

const change = (context: OfMember, facts: Facts) => {
  const { id, before, wanted } = context
  const { space_ids } = wanted
  if (space_ids && isForeign(space_ids, facts)) return foreign()
  const changed = changedIn(context)
  return [
    ...(Object.keys(changed).length > 0 ? [event.MembershipChanged({ membership_id: id, ...changed })] : []),
    ...(space_ids ? move({ membership_id: id, space_ids: before.space_ids }, space_ids, facts) : []),
  ]
}

/** Brings a member into further spaces. Those that are gone meanwhile are left out. */
const enter = ({ id, before, wanted: { space_ids } }: OfMember<Spaces>, facts: Facts) => {
  const left = space_ids.filter((one) => !isForeign([one], facts))
  return move({ membership_id: id, space_ids: before.space_ids }, [...before.space_ids, ...left], facts)
}

const leave = ({ id, before, wanted: { space_ids } }: OfMember<Spaces>, facts: Facts) => {
  const left = before.space_ids.filter((one) => !space_ids.includes(one))
  return move({ membership_id: id, space_ids: before.space_ids }, left, facts)
}

/** Returns what a member has chosen itself. */
const chosenIn = ({ notifications = null, send_digest_email = null }: Partial<MailChoices>): Partial<MailChoices> => ({
  ...(notifications !== null && { notifications }),
  ...(send_digest_email !== null && { send_digest_email }),
})

/** Bans the contact that the stream is about. Its membership goes out of sight. */
const issue = ({ before, wanted, records, actor }: DecisionContext<typeof ban>, { isKept }: Facts) => {
  const own = records.root(participation)
  if (before || !own) return undefined
  if (records.all(ban).length > 0)
    return refuse.invalid('Contact has already been banned from this community', 'contact_id', 'taken')
  if (!isKept) return refuse.invalid('Contact must exist', 'contact_id', 'not_found')
  const { contact_id, community_id } = own
  return { contact_id, community_id, banned_by_id: wanted.banned_by_id ?? actor.membershipId ?? 0 }
}

const hide = ({ before, records }: DecisionContext<typeof ban>): Participations | undefined => {
  const [own] = records.all(membership)
  if (before || !own) return undefined
  return [event.MembershipHidden({ membership_id: own.id, space_ids: own.space_ids, ...chosenIn(own) })]
}

/**
 * Ends a ban. The membership comes back, with the spaces that are still there, but moderates nothing. One that was bought meanwhile begins, unless all was
 * given back.
 */
const unban = ({ id, before, records }: ActContext<typeof ban>, facts: Facts): Participations => {
  const { contact_id, community_id } = before
  const held = records.root(participation)?.held
  const ended = event.ContactUnbanned({ ban_id: id })
  if (!held) return [ended]
  const space_ids = held.space_ids.filter((one) => !isForeign([one], facts))
  const { membership_id } = held
  const own = { membership_id, contact_id, community_id, moderator: false }
  if (held.is_new) {
    const begins = held.space_ids.length > 0 && facts.isKept
    return [
      ended,
      ...(begins ? [event.MemberJoined(own), ...move({ membership_id, space_ids: [] }, space_ids, facts)] : []),
    ]
  }
  const back = { ...own, space_ids }
  return [ended, event.MembershipRestored({ ...back, ...chosenIn(held) })]
}

/** Rules of what a contact and a community have to do with each other. */
export const participations = decider(participation, {
  rules: rules(participation, {
    loadFacts,
    save: [begin, beginBought],
    acts: { join: joinAgain, begun: () => [], buy, follow },
  }),
  children: [
    rules(membership, { loadFacts: loadWithin, create: joinAsNew, change, acts: { enter, leave } }),
    rules(ban, { loadFacts: loadWithin, save: [issue, hide], remove: unban }),
  ],
})
