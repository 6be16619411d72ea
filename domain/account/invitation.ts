import { Type } from 'typebox'
import type { RecordOf } from '../kernel/model/model.ts'
import { list, show } from '../resources/operations.ts'
import { serve } from '../resources/serve.ts'
import { asks, creates } from '../resources/writes.ts'
import { team } from './owners.ts'
import { invitation } from './team-model.ts'
import { teams } from './team-rules.ts'

const INVITATIONS = '/teams/{team_id}/invitations'

/** Returns what has become of an invitation by a time. */
export const invitationStatus = (
  {
    accepted_at,
    withdrawn_at,
    expires_at,
  }: Pick<RecordOf<typeof invitation>, 'accepted_at' | 'withdrawn_at' | 'expires_at'>,
  at: string,
): 'open' | 'accepted' | 'withdrawn' | 'expired' => {
  if (accepted_at !== null) return 'accepted'
  if (withdrawn_at !== null) return 'withdrawn'
  return expires_at > at ? 'open' : 'expired'
}

/** Invitation of a person to a team. The answers never have its link: it proves the address, so only its mail and the operator's command line have it. */
export const invitationResource = serve(invitation, teams, {
  title: 'Team',
  root: 'invitation',
  category: 'account',
  under: team,
  view: {
    status: {
      schema: Type.Enum(['open', 'accepted', 'withdrawn', 'expired']),
      // Teams have no test clock.
      of: (record, load) => invitationStatus(record, load.now(0)),
    },
  },
  operations: {
    createTeamsInvitations: creates(INVITATIONS, {
      consequence: 'invites a person, who may then see and change what is here',
      beyondContract: true,
      ofTeam: true,
      summary: 'Invites a person to the team by mail. The invitation is valid for seven days',
    }),
    listTeamsInvitations: list(INVITATIONS, {
      beyondContract: true,
      summary: 'Invitations to the team, those that have ended included',
    }),
    getInvitations: show('/invitations/{id}', { beyondContract: true }),
    withdrawInvitations: asks('/invitations/{id}', 'withdraw', {
      consequence: 'takes back what a person was invited to',
      method: 'DELETE',
      answers: 204,
      beyondContract: true,
      ofTeam: true,
      summary: 'Withdraws an invitation that was not accepted yet: its link no longer works',
    }),
  },
})
