import { invitationMail } from '../../domain/account/invitation-mail.ts'
import { invitation, isOpen, team } from '../../domain/account/public.ts'
import { readEverywhere } from '../../domain/kernel/decide/rules.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { InvitationLinks } from '../../domain/kernel/ports/invitation-links.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { Reaction } from '../reactor/reaction.ts'
import { type UserMailDeps, userMailReaction } from './user-mail.ts'

/** Dependencies of mailing invitations. */
export interface InvitationMailDeps extends UserMailDeps {
  readonly live: ReadModels
  readonly log: Pick<EventLog, 'lastPosition'>
  readonly invitationLinks: InvitationLinks
  /** Address of the pages on which people sign in. */
  readonly accountsUrl: string
}

/** Mails the link of each invitation, unless a newer one has replaced it. */
export const invitationMailReaction = (deps: InvitationMailDeps): Reaction =>
  userMailReaction(deps, {
    name: 'invitation-mail',
    on: [team.event.PersonInvited, team.event.InvitationRenewed],
    async compose(event) {
      const { live, invitationLinks, accountsUrl, now } = deps
      const read = readEverywhere(live)
      const invitationId = Number(event.data.invitation_id)
      const openInvitation = async () => {
        const found = await read.one(invitation, invitationId)
        const isNewest = found?.link_number === event.data.link_number
        return found && isNewest && isOpen(found, new Date(now(0)).toISOString()) ? found : undefined
      }
      const [found, to] = await Promise.all([openInvitation(), read.one(team, parseStream(event.stream).id)])
      if (!found || !to) return []
      const isWanted = async () => {
        await deps.seen({ position: await deps.log.lastPosition() })
        return (await openInvitation()) !== undefined
      }
      const link = { teamId: to.id, invitationId, number: found.link_number }
      const url = accountsUrl + invitationLinks.pathOf(link, found.email)
      const mailed = invitationMail({ to: found.email, team: to.name, url, expiresAt: found.expires_at })
      return [{ number: invitationId, mail: { ...mailed, isWanted } }]
    },
  })
