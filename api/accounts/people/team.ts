import { invitation, membership, ROLES, type Role, teams } from '../../../domain/account/public.ts'
import { type Ask, ask, within } from '../../../domain/kernel/decide/ask.ts'
import { withIds } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { carryOut } from '../carry-out.ts'
import type { Answer, Route } from '../request.ts'
import { typedAddress } from '../typed-address.ts'
import { WORDS as ALL } from '../words.ts'
import { removalRoutes } from './removal.ts'
import { teamPage } from './team-page.ts'
import { actInTeam, forMembers, type TeamRequest } from './viewed-team.ts'

const isRole = (text: string | null): text is Role => (ROLES as readonly (string | null)[]).includes(text)

const roleIn = (sent: URLSearchParams): Role => {
  const role = sent.get('role')
  return isRole(role) ? role : 'member'
}

/** Carries out what a member asks for, and goes back to the page of the team. */
const does = async (request: TeamRequest, asked: Ask): Promise<Answer> =>
  (await actInTeam(request, asked)) ?? { to: request.viewed.path }

const invited = ({ viewed }: TeamRequest) => within(teams, viewed.team.id, invitation)
const members = ({ viewed }: TeamRequest) => within(teams, viewed.team.id, membership)

const invite = async (request: TeamRequest, sent: URLSearchParams): Promise<Answer> => {
  const { viewed, service } = request
  const { ids } = service
  const { address: email, isUsable } = typedAddress(sent, 'email')
  if (!isUsable) return teamPage(request, { email, says: ALL.isNoAddress })
  const id = await withIds(ids, () => ids.next(invitation.name))
  const asked = ask(invited(request), id, 'create', { email, role_ids: [roleIn(sent)] })
  const result = await carryOut(request, asked, { teamId: viewed.team.id, membershipId: viewed.own.id })
  if (!(result instanceof Refusal)) return { to: viewed.path }
  if (result.kind !== 'invalid') throw result
  return teamPage(request, { email, says: `${result.message}.` })
}

/** Page of a team for its members. What they may do there, the rules of teams decide. */
export const teamRoutes: readonly Route[] = [
  forMembers('', { show: (request) => teamPage(request) }),
  forMembers('/invite', { take: invite }),
  forMembers('/invitations/([1-9]\\d{0,15})/renew', {
    take: (request, _, [id = 0]) => does(request, ask(invited(request), id, 'renew', {})),
  }),
  forMembers('/invitations/([1-9]\\d{0,15})/withdraw', {
    proof: 'session',
    take: (request, _, [id = 0]) => does(request, ask(invited(request), id, 'withdraw', {})),
  }),
  forMembers('/members/([1-9]\\d{0,15})/roles', {
    take: (request, sent, [id = 0]) => does(request, ask(members(request), id, 'change', { role_ids: [roleIn(sent)] })),
  }),
  ...removalRoutes,
]
