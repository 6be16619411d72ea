import type { ActContext, DecisionContext, Events, StreamRecords } from '../../kernel/decide/rules.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { ban, membership, type Purchase, participation } from './model.ts'
import { type Ends, type Facts, move } from './moving.ts'

const { event } = participation

type Participations = Events<typeof participation>
type Cause = Pick<Purchase, 'source_type' | 'source_id'>

/** What a purchase opens. */
export type Bought = Cause & { readonly space_ids: readonly number[] }
export type Buying = { readonly bought: Bought }

/** Whether a purchase still opens its spaces. */
export type Standings = { readonly standings: readonly (Cause & { readonly isOpen: boolean })[] }

const isSame = (one: Cause, other: Cause): boolean =>
  one.source_type === other.source_type && one.source_id === other.source_id

/** Purchases and spaces as they are while several things are decided one after the other. */
interface Present {
  readonly ends: Ends
  readonly purchases: readonly Purchase[]
  /** Spaces that the contact is in by purchases alone. */
  readonly bought: readonly number[]
  readonly membershipId: number | undefined
  readonly isHidden: boolean
  readonly isBanned: boolean
  readonly space_ids: readonly number[]
}

const presentIn = (ends: Ends, records: StreamRecords): Present => {
  const own = records.root(participation)
  const [member] = records.all(membership)
  const { purchases = [], bought_space_ids: bought = [], held = null } = own ?? {}
  const { membership_id, space_ids } = held ?? { membership_id: member?.id, space_ids: member?.space_ids ?? [] }
  const isBanned = records.all(ban).length > 0
  return { ends, purchases, bought, membershipId: membership_id, isHidden: held !== null, isBanned, space_ids }
}

type Step = { readonly events: Participations; readonly present: Present }

/**
 * Opens the spaces of a purchase to the contact, and makes it a member where it is none. A ban keeps it out of sight as well, or keeps it from beginning.
 *
 * @param membership_id id of its membership, present or new
 */
const open = (
  present: Present,
  { source_type, source_id, space_ids: wanted }: Bought,
  facts: Facts,
  membership_id: number,
): Step => {
  const cause = { source_type, source_id }
  const space_ids = wanted.filter((one) => facts.spaces.some((space) => space.id === one))
  const opened_space_ids = space_ids.filter((one) => !present.space_ids.includes(one))
  const { membershipId, ends, isBanned } = present
  const isNew = membershipId === undefined
  const isHidden = present.isHidden || (isNew && isBanned)
  const kept = isNew && isBanned && { held_membership_id: membership_id }
  const after = [...present.space_ids, ...opened_space_ids]
  return {
    events: [
      ...(isNew && !isBanned ? [event.MemberJoined({ membership_id, ...ends, moderator: false })] : []),
      event.SpacesBought({ ...cause, space_ids, opened_space_ids, ...kept }),
      ...(isHidden ? [] : move({ membership_id, space_ids: present.space_ids }, after, facts)),
    ],
    present: {
      ...present,
      purchases: [...present.purchases.filter((one) => !isSame(one, cause)), { ...cause, space_ids, ended: false }],
      bought: [...present.bought, ...opened_space_ids],
      membershipId: membership_id,
      isHidden,
      space_ids: after,
    },
  }
}

/** Takes from the contact the spaces that this purchase alone has opened to it. It stays a member. */
const lapse = (present: Present, ended: Purchase, facts: Facts): Step => {
  const { source_type, source_id } = ended
  const others = present.purchases.filter((one) => one !== ended && !one.ended).flatMap((one) => one.space_ids)
  const left_space_ids = present.bought.filter((id) => ended.space_ids.includes(id) && !others.includes(id))
  const after = present.space_ids.filter((id) => !left_space_ids.includes(id))
  const { membershipId: membership_id, isHidden, space_ids } = present
  return {
    events: [
      event.SpacesLapsed({ source_type, source_id, left_space_ids }),
      ...(membership_id === undefined || isHidden ? [] : move({ membership_id, space_ids }, after, facts)),
    ],
    present: {
      ...present,
      purchases: present.purchases.map((one) => (one === ended ? { ...one, ended: true } : one)),
      bought: present.bought.filter((id) => !left_space_ids.includes(id)),
      space_ids: after,
    },
  }
}

interface BuyInput extends Pick<DecisionContext, 'ids' | 'records'> {
  readonly ends: Ends
  readonly bought: Bought
}

const buying = ({ ids, records, ends, bought }: BuyInput, facts: Facts): Participations | Refusal => {
  const present = presentIn(ends, records)
  if (!facts.isKept) return refuse.invalid('Contact must exist', 'contact_id', 'not_found')
  const held = present.purchases.find((one) => isSame(one, bought))
  return held && !held.ended ? [] : open(present, bought, facts, present.membershipId ?? idAt(ids, 0)).events
}

/** Begins with a purchase. */
export const beginBought = (
  {
    before,
    after,
    wanted: { bought },
    ids,
    records,
  }: DecisionContext<typeof participation, Buying & { readonly join: object }>,
  facts: Facts,
) => (before || !bought ? undefined : buying({ ids, records, ends: after, bought }, facts))

/** Records a purchase of who has had to do with the community before. */
export const buy = (
  { before, wanted: { bought }, ids, records }: ActContext<typeof participation, Buying>,
  facts: Facts,
) => {
  const { contact_id, community_id } = before
  return buying({ ids, records, ends: { contact_id, community_id }, bought }, facts)
}

/** Ends purchases with what was paid for them, and opens their spaces again when it is paid again. */
export const follow = (
  { before, wanted: { standings }, records }: ActContext<typeof participation, Standings>,
  facts: Facts,
): Participations => {
  const { contact_id, community_id } = before
  let present = presentIn({ contact_id, community_id }, records)
  const events: Participations[number][] = []
  for (const { isOpen, ...cause } of standings) {
    const held = present.purchases.find((one) => isSame(one, cause))
    if (!held || held.ended !== isOpen) continue
    const { membershipId } = present
    // Who has left the community since does not come back by itself.
    const again = () => membershipId !== undefined && open(present, held, facts, membershipId)
    const step = isOpen ? again() : lapse(present, held, facts)
    if (!step) continue
    events.push(...step.events)
    present = step.present
  }
  return events
}
