import { managed } from '../kernel/model/field.ts'
import { choice, flag, integer, list, moment, reference, text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { emailAddress } from '../resources/attributes/email-address.ts'
import { timeZone } from '../resources/attributes/time-zone.ts'
import { ROLES } from './roles.ts'

/** Membership of a user in a team. */
export const membership = model('membership', {
  stream: 'team',
  owner: 'team_id',
  attributes: {
    user_id: reference('user', { required: true }),
    /** Whether the user is an agent and not a person. */
    platform_agent: flag({ required: true, shown: 'never' }),
    role_ids: list(choice(ROLES), { default: [], max: ROLES.length }),
    added_by_id: managed(reference('user', { onTargetEnd: 'keep' })),
  },
  events: {
    TeamMemberAdded: { creates: true },
    TeamMemberRolesChanged: { sets: ['role_ids'] },
    TeamMemberRemoved: { ends: true },
  },
})

/** Invitation of a person to a team. The link in its mail proves the address. */
export const invitation = model('invitation', {
  stream: 'team',
  owner: 'team_id',
  attributes: {
    email: emailAddress({ required: true, immutable: true }),
    role_ids: list(choice(ROLES), { default: ['member'], max: ROLES.length }),
    invited_by_id: managed(reference('user', { onTargetEnd: 'keep' })),
    /** Number of the link that can be used. A renewal gives the next one, which ends those before. */
    link_number: managed(integer({ required: true }), { shown: 'never' }),
    expires_at: managed(moment({ required: true })),
    accepted_at: managed(moment()),
    accepted_by_id: managed(reference('user', { onTargetEnd: 'keep' })),
    withdrawn_at: managed(moment()),
  },
  events: {
    PersonInvited: { creates: true, except: ['accepted_at', 'accepted_by_id', 'withdrawn_at'] },
    InvitationRenewed: { sets: ['link_number', 'expires_at'] },
    InvitationAccepted: { sets: ['accepted_by_id'], stamps: 'accepted_at' },
    InvitationWithdrawn: { stamps: 'withdrawn_at' },
  },
})

/** Account that owns workspaces. Its memberships and invitations are in its stream. */
export const team = model('team', {
  attributes: {
    name: text({ required: true }),
    time_zone: timeZone({ default: null }),
    locale: choice(['en', 'ja', 'pt'], { default: 'en', about: 'Language of new websites' }),
  },
  events: { TeamFounded: { creates: true }, TeamChanged: { changes: 'rest' } },
  children: {
    memberships: { model: membership, key: 'membership_id' },
    invitations: { model: invitation, key: 'invitation_id' },
  },
})
