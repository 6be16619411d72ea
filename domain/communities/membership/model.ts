import { Type } from 'typebox'
import { addedData } from '../../kernel/model/event-types.ts'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, integer, list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** Highest number of characters of a reason. */
export const MOST_OF_REASON = 1024

const ofContact = () => managed(reference('contact', { required: true, onTargetEnd: 'keep' }), { shown: 'never' })
const ofCommunity = () => managed(reference('community', { required: true }))

/** What members can be mailed about at once: all that is new, what concerns them, or nothing. The stricter is behind. */
export const NOTIFICATIONS = ['all', 'essential', 'off'] as const

/** What a member has chosen itself; `null`: as the community says. */
export type MailChoices = {
  readonly notifications: (typeof NOTIFICATIONS)[number] | null
  readonly send_digest_email: boolean | null
}

/** What a membership was when a ban took it out of sight. Older ones have no choices. */
export type Held = {
  readonly membership_id: number
  readonly space_ids: readonly number[]
  /** It has never been one: it was bought during the ban, and begins with the end of it. */
  readonly is_new?: true
} & Partial<MailChoices>

type Entered = { readonly entered_space_ids: readonly number[]; readonly entered_group_ids: readonly number[] }

/** Membership of a contact in a community, with the spaces that it is in. */
export const membership = model('communities/membership', {
  stream: 'communities/participation',
  owner: 'participation_id',
  attributes: {
    contact_id: ofContact(),
    community_id: ofCommunity(),
    moderator: flag({ nullable: true, initial: false, consequence: { says: 'changes who moderates' } }),
    space_ids: list(reference('communities/space'), {
      nullable: true,
      initial: [],
      about: 'The spaces that the member is in: exactly these',
    }),
    notifications: choice(NOTIFICATIONS, {
      nullable: true,
      about: 'What the member is mailed about at once, at most what the community says; null: as the community says',
    }),
    send_digest_email: flag({
      nullable: true,
      initial: null,
      about: 'false: the member gets no digest; null: as the community says',
    }),
  },
  events: {
    MemberJoined: { creates: true, except: ['space_ids', 'notifications', 'send_digest_email'] },
    /** Also takes spaces away that are gone. */
    MembershipChanged: { changes: 'rest' },
    SpacesEntered: { sets: ['space_ids'], addsData: addedData<Entered>() },
    SpacesLeft: { sets: ['space_ids'] },
    MemberLeft: { ends: true },
    /** A ban took it out of sight. */
    MembershipHidden: { ends: true },
    /** The ban ended: it is back. */
    MembershipRestored: { creates: true },
  },
})

/** Ban of a contact from a community, whether it is a member or not. */
export const ban = model('communities/ban', {
  stream: 'communities/participation',
  owner: 'participation_id',
  attributes: {
    contact_id: ofContact(),
    community_id: ofCommunity(),
    banned_by_id: managed(integer({ required: true, about: 'Membership in the team of who issued it' })),
    reason: text({ nullable: true, max: MOST_OF_REASON, personal: true }),
  },
  events: { ContactBanned: { creates: true }, ContactUnbanned: { ends: true } },
  person: 'contact_id',
})

const held = () =>
  data<Held | null, { readonly nullable: true }>(
    Type.Object({ membership_id: Type.Integer(), space_ids: Type.Array(Type.Integer()) }),
    { nullable: true },
  )

/** Spaces that a purchase has opened, until what was paid for it is given back or its subscription is over. */
export type Purchase = {
  readonly source_type: string
  readonly source_id: number
  readonly space_ids: readonly number[]
  readonly ended: boolean
}

type WithPurchases =
  | {
      readonly purchases: readonly Purchase[]
      readonly bought_space_ids: readonly number[]
      readonly held: Held | null
    }
  | undefined
type BoughtData = Omit<Purchase, 'ended'> & {
  readonly opened_space_ids: readonly number[]
  /** Membership that a ban keeps from beginning. */
  readonly held_membership_id?: number
}
type LapsedData = Pick<Purchase, 'source_type' | 'source_id'> & { readonly left_space_ids: readonly number[] }

const isOther =
  (one: Pick<Purchase, 'source_type' | 'source_id'>) =>
  ({ source_type, source_id }: Purchase): boolean =>
    source_type !== one.source_type || source_id !== one.source_id

const without = (ids: readonly number[], gone: readonly number[]) => ids.filter((id) => !gone.includes(id))

/** What a ban keeps out of sight changes as well. */
const heldWith = (before: WithPurchases, change: (ids: readonly number[]) => readonly number[]): Held | null =>
  before?.held ? { ...before.held, space_ids: change(before.held.space_ids) } : null

const begunAs = (membership_id: number, space_ids: readonly number[]): Held => ({
  membership_id,
  space_ids,
  is_new: true,
})

const spacesBought = (before: WithPurchases, { opened_space_ids, held_membership_id: id, ...bought }: BoughtData) => ({
  purchases: [...(before?.purchases ?? []).filter(isOther(bought)), { ...bought, ended: false }],
  bought_space_ids: [...(before?.bought_space_ids ?? []), ...opened_space_ids],
  held: id === undefined ? heldWith(before, (ids) => [...ids, ...opened_space_ids]) : begunAs(id, opened_space_ids),
})

const spacesLapsed = (before: WithPurchases, { left_space_ids, ...lapsed }: LapsedData) => ({
  purchases: (before?.purchases ?? []).map((one) => (isOther(lapsed)(one) ? one : { ...one, ended: true })),
  bought_space_ids: without(before?.bought_space_ids ?? [], left_space_ids),
  held: heldWith(before, (ids) => without(ids, left_space_ids)),
})

const purchases = () =>
  data<readonly Purchase[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] })

/**
 * What a contact and a community have to do with each other: a membership, a ban, or neither. There is one for both, so that joining and banning are
 * decided one after the other, and there is never a membership beside a ban.
 */
export const participation = model('communities/participation', {
  attributes: {
    contact_id: ofContact(),
    community_id: ofCommunity(),
    /** Membership that a ban keeps out of sight. */
    held: managed(held(), { shown: 'never' }),
    purchases: managed(purchases(), { shown: 'never' }),
    /** Spaces that the contact is in by purchases alone. */
    bought_space_ids: managed(list(integer(), { initial: [] }), { shown: 'never' }),
  },
  events: {
    ParticipationBegan: { creates: true, except: ['held', 'purchases', 'bought_space_ids'] },
    SpacesBought: { evolve: spacesBought },
    SpacesLapsed: { evolve: spacesLapsed },
    MembershipHidden: {
      evolve: (_: unknown, { membership_id, space_ids, notifications = null, send_digest_email = null }: Held) => ({
        held: { membership_id, space_ids, notifications, send_digest_email },
      }),
    },
    MembershipRestored: { constants: { held: null } },
    ContactUnbanned: { constants: { held: null } },
  },
  children: {
    memberships: { model: membership, key: 'membership_id' },
    bans: { model: ban, key: 'ban_id' },
  },
  unique: [{ attributes: ['contact_id', 'community_id'], says: 'Contact has already joined this community' }],
})
