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
import { idAt } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { space } from '../community/model.ts'
import { ban, membership, participation } from './model.ts'
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
}
type Joining = { readonly join: Join }
type Spaces = { readonly space_ids: readonly number[] }

/** Reads the spaces of the community, and whether the contact is still there. */
const factsOf = async ({ contact_id, community_id }: Ends, read: Reader): Promise<Facts> => {
  const [spaces, found] = await Promise.all([
    read.find(space, { where: { community_id } }),
    read.one(contact, contact_id),
  ])
  return { spaces, isKept: found !== undefined && isContactKept(found) }
}

const loadFacts = ({ before, after }: DecisionContext<typeof participation>, read: Reader) =>
  factsOf(before ?? after, read)
const loadWithin = ({ records, after }: { readonly records: StreamRecords; readonly after: Ends }, read: Reader) =>
  factsOf(records.root(participation) ?? after, read)

const isForeign = (ids: readonly number[], { spaces }: Facts): boolean =>
  ids.some((id) => !spaces.some((one) => one.id === id))
const foreign = () => refuse.invalid('Space ids must be of the community', 'space_ids', 'inclusion')

const banned = () => refuse.invalid('Contact is banned from this community', 'contact_id', 'banned')

interface JoinInput extends Pick<DecisionContext, 'ids' | 'records'> {
  readonly ends: Ends
  readonly join: Join
}

const joined = ({ ids, records, ends, join }: JoinInput, facts: Facts): Participations | Refusal => {
  const wanted = join.space_ids ?? []
  if (records.all(ban).length > 0) return banned()
  if (!facts.isKept) return refuse.invalid('Contact must exist', 'contact_id', 'not_found')
  if (isForeign(wanted, facts)) return foreign()
  const [own] = records.all(membership)
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

type OfMember<Input = unknown> = ActContext<typeof membership, Input>

const change = ({ id, before, wanted: { moderator, space_ids } }: OfMember, facts: Facts) => {
  if (space_ids && isForeign(space_ids, facts)) return foreign()
  const isOther = moderator !== undefined && (moderator ?? false) !== before.moderator
  return [
    ...(isOther ? [event.MembershipChanged({ membership_id: id, moderator: moderator ?? false })] : []),
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
  return before || !own ? undefined : [event.MembershipHidden({ membership_id: own.id, space_ids: own.space_ids })]
}

/** Ends a ban. The membership comes back, with the spaces that are still there, but moderates nothing. */
const unban = ({ id, before, records }: ActContext<typeof ban>, facts: Facts): Participations => {
  const { contact_id, community_id } = before
  const held = records.root(participation)?.held
  const ended = event.ContactUnbanned({ ban_id: id })
  if (!held) return [ended]
  const space_ids = held.space_ids.filter((one) => !isForeign([one], facts))
  const { membership_id } = held
  return [ended, event.MembershipRestored({ membership_id, contact_id, community_id, moderator: false, space_ids })]
}

/** Rules of what a contact and a community have to do with each other. */
export const participations = decider(participation, {
  rules: rules(participation, {
    loadFacts,
    save: [begin, beginBought],
    acts: { join: joinAgain, begun: () => [], buy, follow },
  }),
  children: [
    rules(membership, { loadFacts: loadWithin, change, acts: { enter, leave } }),
    rules(ban, { loadFacts: loadWithin, save: [issue, hide], remove: unban }),
  ],
})
