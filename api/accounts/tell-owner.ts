import { credential } from '../../domain/account/public.ts'
import type { DomainEvent } from '../../domain/kernel/values/event.ts'
import { filled } from '../html/filled.ts'
import { html } from '../html/html.ts'
import { SECURITY } from './security/paths.ts'
import type { AccountsService } from './service.ts'
import { credentialsOf } from './signed-in.ts'
import { WORDS } from './words.ts'

const { changed: words } = WORDS

/** What changes how somebody gets in, and what its owner is told of it. */
const TOLD: Readonly<Record<string, string>> = {
  [credential.event.UserPasswordChanged.type]: words.password,
  [credential.event.UserPasswordReset.type]: words.password,
  [credential.event.CodeAppEnrolled.type]: words.codesOn,
  [credential.event.CodeAppRemoved.type]: words.codesOff,
  [credential.event.RecoveryCodesReplaced.type]: words.recoveryCodes,
  [credential.event.PasskeyAdded.type]: words.passkeyAdded,
  [credential.event.PasskeyRemoved.type]: words.passkeyRemoved,
}

/** What telling takes. */
export type Telling = Pick<AccountsService, 'userMail' | 'everywhere' | 'engine' | 'accountsUrl' | 'logger'>

const send = async (service: Telling, userId: number, what: string): Promise<void> => {
  const { userMail, everywhere: live, accountsUrl } = service
  const [user, held] = await Promise.all([live.get('user', userId), credentialsOf(service, userId)])
  // Whoever comes for the first time has just done it.
  if (!user || !held?.has_signed_in) return
  const host = new URL(accountsUrl).host
  const lines = [
    filled(WORDS.mail.hello, { name: String(user.first_name) }),
    filled(words.text, { what, host }),
    filled(words.ifNot, { url: accountsUrl + SECURITY }),
  ]
  await userMail?.send({
    to: String(user.email),
    subject: words.subject,
    text: `${lines.join('\n\n')}\n`,
    html: html`${lines.map((line) => html`<p>${line}</p>`)}`.text,
  })
}

/** Tells a user by mail of what changes how one gets in as that user. Nothing waits for the mail. */
export const tellOwner = (service: Telling, userId: number, what: string): void => {
  if (!service.userMail) return
  send(service, userId, what).catch((error: unknown) => {
    service.logger.warn({ err: error, user_id: userId }, 'a user was not told of a change')
  })
}

/** Tells a user of those events of the user's credentials that change how one gets in. */
export const tellOf = (service: Telling, userId: number, events: readonly Pick<DomainEvent, 'type'>[]): void => {
  for (const { type } of events) {
    const what = TOLD[type]
    if (what !== undefined) tellOwner(service, userId, what)
  }
}
