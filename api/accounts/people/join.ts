import { invitation as invitationModel, membership, teams } from '../../../domain/account/public.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import { withIds } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { carryOut } from '../carry-out.ts'
import type { AccountRequest } from '../request.ts'
import type { OpenedInvitation } from './opened.ts'

/** Accepts an invitation as a user, who is a member from then on. */
export const joinTeam = async (
  request: AccountRequest,
  { invitation, team, number }: OpenedInvitation,
  user_id: number,
): Promise<Refusal | undefined> => {
  const { ids } = request.service
  const memberId = await withIds(ids, () => ids.next(membership.name))
  const invited = within(teams, team.id, invitationModel)
  const asked = ask(invited, invitation.id, 'accept', { user_id, number }, { ids: [memberId] })
  const result = await carryOut(request, asked, { teamId: team.id })
  return result instanceof Refusal ? result : undefined
}
