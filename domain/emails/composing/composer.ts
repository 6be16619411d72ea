import type { ComposedMail } from '../../kernel/ports/mail-transport.ts'
import type { Letter, Recipient } from './compose.ts'

/** A mail that is to be composed. */
export interface MailToCompose {
  readonly workspaceId: number
  readonly letter: Letter
  readonly recipient: Recipient
}

/** Composes mails beside the event loop, whatever their templates take. Workspaces take turns. */
export interface MailComposer {
  /** @throws {LiquidFailed} {AddressUnusable} like `compose`, and where it takes too much time or memory */
  compose(mail: MailToCompose): Promise<ComposedMail>
  close(): Promise<void>
}
