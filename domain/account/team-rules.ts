import { decider } from '../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { idAt } from '../kernel/values/ids.ts'
import { mailboxOf } from '../kernel/values/mailbox.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { ADMIN } from './roles.ts'
import { invitation, membership, team } from './team-model.ts'
import { user } from './user.ts'

const { event } = team

type Happens = Events<typeof team> | Refusal
export type Membership = RecordOf<typeof membership>
export type Invitation = RecordOf<typeof invitation>
export type Team = RecordOf<typeof team>
type Context = Pick<DecisionContext, 'actor' | 'records'>

const VALID_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

/** Invitations of a team that are open at once. Each sends a mail to somebody who may not know the team. */
const MOST_OPEN = 100

/** Whether a member is a person who looks after the team. */
export const isAdmin = ({ role_ids, platform_agent }: Membership): boolean =>
  !platform_agent && role_ids.includes(ADMIN)

const actingMember = ({ actor, records }: Context): Membership | undefined =>
  actor.membershipId === undefined ? undefined : records.one(membership, actor.membershipId)

/** Refuses what a person does who is no admin. An agent acts within the scopes of its token, and the operator without limits. */
const requireAdmin = (context: Context): Refusal | undefined => {
  const member = actingMember(context)
  const mayAct = context.actor.membershipId === undefined || member?.platform_agent || (member && isAdmin(member))
  return mayAct ? undefined : refuse.forbidden('only an admin of the team may do this', 'membership', 'role')
}

const requireRole = ({ after }: { readonly after: { readonly role_ids: readonly string[] } }): Refusal | undefined =>
  after.role_ids.length === 0 ? refuse.invalid("Role ids can't be empty", 'role_ids', 'blank') : undefined

/** Returns whether an invitation can be accepted at a time. */
export const isOpen = (
  { accepted_at, withdrawn_at, expires_at }: Pick<Invitation, 'accepted_at' | 'withdrawn_at' | 'expires_at'>,
  at: string,
): boolean => accepted_at === null && withdrawn_at === null && expires_at > at

/** Whether a member is the only admin that a team has. */
const isLastAdmin = ({ before, records }: ActContext<typeof membership>): boolean =>
  isAdmin(before) && !records.all(membership).some((one) => one.id !== before.id && isAdmin(one))

const LAST_ADMIN = 'A team needs at least one admin'

const ofAgent = () => refuse.invalid('The membership of an agent cannot be changed', 'base', 'agent')

const changeRoles = (context: DecisionContext<typeof membership>) => {
  const { before, after, records } = context
  if (!before)
    return records.all(membership).some(({ user_id }) => user_id === after.user_id)
      ? refuse.conflict('The user is a member of the team already', 'user_id', 'taken')
      : undefined
  const refused = before.platform_agent ? ofAgent() : (requireAdmin(context) ?? requireRole(context))
  if (refused) return refused
  return isLastAdmin({ ...context, before }) && !after.role_ids.includes(ADMIN)
    ? refuse.invalid(LAST_ADMIN, 'role_ids', 'last_admin')
    : undefined
}

/** A member may leave without being an admin. */
const preventRemoval = (context: ActContext<typeof membership>): Refusal | undefined => {
  const { before, actor } = context
  if (before.platform_agent) return ofAgent()
  const refused = actor.membershipId === before.id ? undefined : requireAdmin(context)
  return refused ?? (isLastAdmin(context) ? refuse.invalid(LAST_ADMIN, 'base', 'last_admin') : undefined)
}

interface Facts {
  /** Mailboxes of the members. */
  readonly mailboxes: readonly string[]
  /** Mailbox of the user who accepts. */
  readonly acceptedBy: string | undefined
}

type Accepting = { readonly user_id: number; readonly number: number }

const loadFacts = async (
  { act, records, wanted }: DecisionContext<typeof invitation, Accepting>,
  read: Reader,
): Promise<Facts> => {
  const ids = act === 'create' ? records.all(membership).map(({ user_id }) => user_id) : []
  const { everywhere: users } = read
  const members = await users.many(user.model, ids)
  const accepting = act === 'accept' ? await users.one(user.model, wanted.user_id) : undefined
  return {
    mailboxes: members.map(({ email }) => mailboxOf(email)),
    acceptedBy: accepting && mailboxOf(accepting.email),
  }
}

const expiry = (at: string): string => new Date(Date.parse(at) + VALID_DAYS * DAY_MS).toISOString()

const invite = (context: DecisionContext<typeof invitation, Accepting>, { mailboxes }: Facts) => {
  const { after, at, records, before } = context
  if (before) return undefined
  const refused = requireAdmin(context) ?? requireRole(context)
  if (refused) return refused
  const mailbox = mailboxOf(after.email)
  if (mailboxes.includes(mailbox)) return refuse.invalid('Email is already that of a member', 'email', 'taken')
  const open = records.all(invitation).filter((one) => isOpen(one, at))
  if (open.some(({ email }) => mailboxOf(email) === mailbox))
    return refuse.invalid('Email is already invited', 'email', 'taken')
  if (open.length >= MOST_OPEN) {
    const message = `A team can have at most ${MOST_OPEN} open invitations`
    return refuse.invalid(message, 'base', 'too_many')
  }
  return { invited_by_id: actingMember(context)?.user_id ?? null, link_number: 1, expires_at: expiry(at) }
}

type Of<Input = unknown> = ActContext<typeof invitation, Input>

const ended = ({ accepted_at, withdrawn_at }: Invitation): Refusal =>
  refuse.conflict(
    accepted_at !== null
      ? 'The invitation was accepted already'
      : withdrawn_at !== null
        ? 'The invitation was withdrawn'
        : 'The invitation has expired',
    'invitation',
    'ended',
  )

/** Gives an invitation a new link and a new week. The link before it ends. */
const renew = (context: Of): Happens => {
  const { before, at } = context
  const refused = requireAdmin(context)
  if (refused) return refused
  if (before.accepted_at !== null || before.withdrawn_at !== null) return ended(before)
  return [
    event.InvitationRenewed({
      invitation_id: before.id,
      link_number: before.link_number + 1,
      expires_at: expiry(at),
    }),
  ]
}

const withdraw = (context: Of): Happens => {
  const { before } = context
  const refused = requireAdmin(context)
  if (refused) return refused
  if (before.accepted_at !== null) return ended(before)
  return before.withdrawn_at === null ? [event.InvitationWithdrawn({ invitation_id: before.id })] : []
}

/** Makes the user with the invited address a member, by the newest link. */
const accept = ({ before, wanted, at, ids, records }: Of<Accepting>, { acceptedBy }: Facts): Happens => {
  const { user_id, number } = wanted
  if (before.accepted_by_id === user_id) return []
  if (!isOpen(before, at)) return ended(before)
  if (number !== before.link_number)
    return refuse.conflict('A newer link has replaced this one', 'invitation', 'replaced')
  if (acceptedBy !== mailboxOf(before.email))
    return refuse.forbidden('an invitation belongs to its address', 'invitation', 'address')
  const accepted = event.InvitationAccepted({ invitation_id: before.id, accepted_by_id: user_id })
  if (records.all(membership).some((one) => one.user_id === user_id)) return [accepted]
  const { role_ids, invited_by_id: added_by_id } = before
  const member = { user_id, platform_agent: false, role_ids, added_by_id }
  return [accepted, event.TeamMemberAdded({ membership_id: idAt(ids, 0), ...member })]
}

/** Decider of teams, their members and invitations. */
export const teams = decider(team, {
  children: [
    rules(membership, { save: [changeRoles], preventRemoval }),
    rules(invitation, { loadFacts, save: [invite], acts: { renew, withdraw, accept } }),
  ],
})
