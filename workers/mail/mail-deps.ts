import type { Logger } from 'pino'
import type { MailComposer } from '../../domain/emails/composing/composer.ts'
import type { MailRates } from '../../domain/emails/rates/notation.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { MailLinks } from '../../domain/kernel/ports/mail-links.ts'
import type { MailTransport, SigningKey } from '../../domain/kernel/ports/mail-transport.ts'
import type { MemberLinks } from '../../domain/kernel/ports/member-links.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import type { Loader } from '../../domain/resources/view-types.ts'
import type { OlderCopy } from '../older-copy.ts'
import type { Clock } from '../reactor/lanes.ts'

/** How mails leave the house. */
export interface MailWays {
  /** Hands over to SMTP servers; `undefined`: none is configured. */
  readonly smtp: MailTransport | undefined
  /** Keeps mails as files. */
  readonly files: MailTransport
  /** Domain that senders share; `undefined`: there is none. */
  readonly sharedDomain: string | undefined
  /** How fast mail goes out, unless the operator has ordered otherwise. */
  readonly rates: MailRates
  /** Time without any event after which a start takes its data for an older copy, in milliseconds. */
  readonly copyAfterMs: number
  /** Whether this process only carries out a command: mails wait for the service, whose settings say where they go. */
  readonly isIdle: boolean
  /** Returns the key with which a domain of a workspace signs now; `undefined`: mails of that domain are not signed. */
  signingKey(workspaceId: number, domain: string): MaybePromise<SigningKey | undefined>
}

/** Dependencies of handing mails over. */
export interface MailDeps {
  readonly mail: MailWays
  readonly composer: MailComposer
  readonly mailLinks: MailLinks
  readonly memberLinks: MemberLinks
  readonly olderCopy: OlderCopy
  readonly engine: Engine
  readonly log: EventLog
  readonly live: ReadModels
  readonly loader: () => Loader
  /** Waits until the documents are at least as new as a position. @throws {Refusal} unavailable, when that takes too long */
  readonly seen: (at: { readonly position: number }) => Promise<void>
  readonly now: Clock
  readonly logger: Logger
}
