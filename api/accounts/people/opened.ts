import { type Invitation, invitation, type Team, team, teams } from '../../../domain/account/public.ts'
import type { AccountsService } from '../service.ts'

/** Invitation that the link of a request leads to, as the log has it now. */
export interface OpenedInvitation {
  /** Path of the link. */
  readonly path: string
  readonly invitation: Invitation
  readonly team: Team
  /** Number of the link. */
  readonly number: number
}

/** Returns the invitation that a token proves; `undefined` for a token that was not signed here, or for another address. */
export const openInvitation = async (
  { invitationLinks, engine }: Pick<AccountsService, 'invitationLinks' | 'engine'>,
  token: string,
): Promise<OpenedInvitation | undefined> => {
  const link = invitationLinks.read(token)
  if (!link) return undefined
  const records = await engine.records(teams, link.teamId, -1)
  const [found, of] = [records.one(invitation, link.invitationId), records.root(team)]
  if (!found || !of || !link.fits(found.email)) return undefined
  return { path: invitationLinks.pathOf(link, found.email), invitation: found, team: of, number: link.number }
}
