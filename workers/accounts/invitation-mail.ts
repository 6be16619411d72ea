import { invitationMail } from '../../domain/account/invitation-mail.ts'
import { invitation, isOpen, team } from '../../domain/account/public.ts'
import { readEverywhere } from '../../domain/kernel/decide/rules.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { InvitationLinks } from '../../domain/kernel/ports/invitation-links.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { UserMail } from '../../domain/kernel/ports/user-mail.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { isOfCopy, type OlderCopy } from '../older-copy.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'

/** Wait of a process that only carries out a command: the service hands the mail over. */
const IDLE_MS = 2000
const TRIES = 10

/** Dependencies of mailing invitations. */
export interface InvitationMailDeps {
  readonly live: ReadModels
  readonly log: Pick<EventLog, 'lastPosition'>
  readonly invitationLinks: InvitationLinks
  /** Mail to users; `undefined`: this installation sends none. */
  readonly userMail: UserMail | undefined
  /** Address of the pages on which people sign in. */
  readonly accountsUrl: string
  readonly mail: { readonly isIdle: boolean }
  readonly olderCopy: OlderCopy
  readonly now: (workspaceId: number) => number
  readonly seen: (at: { readonly position: number }) => Promise<void>
}

/** Mails the link of each invitation, unless a newer one has replaced it. An older copy of the data mails nobody again. */
export const invitationMailReaction = (deps: InvitationMailDeps): Reaction =>
  inStreams({
    name: 'invitation-mail',
    on: [team.event.PersonInvited, team.event.InvitationRenewed],
    group: () => 'invitation-mail',
    width: 2,
    maxAttempts: TRIES,
    async react(event) {
      const { live, userMail, invitationLinks, accountsUrl, mail, now } = deps
      if (mail.isIdle) return { came: 'early', notBefore: now(0) + IDLE_MS }
      if (!userMail || isOfCopy(event, deps.olderCopy)) return DONE
      await deps.seen(event)
      const read = readEverywhere(live)
      const invitationId = Number(event.data.invitation_id)
      const openInvitation = async () => {
        const found = await read.one(invitation, invitationId)
        const isNewest = found?.link_number === event.data.link_number
        return found && isNewest && isOpen(found, new Date(now(0)).toISOString()) ? found : undefined
      }
      const [found, to] = await Promise.all([openInvitation(), read.one(team, parseStream(event.stream).id)])
      if (!found || !to) return DONE
      const isWanted = async () => {
        await deps.seen({ position: await deps.log.lastPosition() })
        return (await openInvitation()) !== undefined
      }
      const link = { teamId: to.id, invitationId, number: found.link_number }
      const url = accountsUrl + invitationLinks.pathOf(link, found.email)
      const mailed = invitationMail({ to: found.email, team: to.name, url, expiresAt: found.expires_at })
      await userMail.send({ ...mailed, isWanted })
      return DONE
    },
  })
