import type { MailToUser, UserMail } from '../../domain/kernel/ports/user-mail.ts'
import type { HasEventType, RecordedEvent } from '../../domain/kernel/values/event.ts'
import { isOfCopy, type OlderCopy } from '../older-copy.ts'
import { DONE, inStreams, type Reaction, STOPPED } from '../reactor/reaction.ts'

/** Wait of a process that only carries out a command: the service hands the mail over. */
const IDLE_MS = 2000
const TRIES = 10

/** Dependencies of mailing users. */
export interface UserMailDeps {
  /** Mail to users; `undefined`: this installation sends none. */
  readonly userMail: UserMail | undefined
  readonly mail: { readonly isIdle: boolean }
  readonly olderCopy: OlderCopy
  readonly now: (workspaceId: number) => number
  readonly seen: (at: { readonly position: number }) => Promise<void>
}

/** A mail with a number by which it is known. After a kill those behind the last that was sent follow. */
export interface NumberedMail {
  readonly number: number
  readonly mail: MailToUser
}

interface Spec {
  readonly name: string
  readonly on: readonly HasEventType[]
  /** Composes the mails for an event, in the order of their numbers. */
  compose(event: RecordedEvent): Promise<readonly NumberedMail[]>
}

/** Returns a reaction that mails users of events. An older copy of the data mails nobody again. */
export const userMailReaction = (
  { userMail, mail, olderCopy, now, seen }: UserMailDeps,
  { name, on, compose }: Spec,
): Reaction =>
  inStreams({
    name,
    on,
    group: () => name,
    width: 2,
    maxAttempts: TRIES,
    async react(event, turn) {
      if (mail.isIdle) return { came: 'early', notBefore: now(0) + IDLE_MS }
      if (!userMail || isOfCopy(event, olderCopy)) return DONE
      await seen(event)
      const stored = await turn.cursor()
      const sent = typeof stored === 'number' ? stored : -1
      for (const one of await compose(event)) {
        if (one.number <= sent) continue
        if (turn.stopping()) return STOPPED
        await userMail.send(one.mail)
        await turn.saveCursor(one.number)
      }
      return DONE
    },
  })
