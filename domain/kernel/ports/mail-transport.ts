/** A mailbox, with the name that mail programs show. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** A mail to one recipient, ready to be handed over. */
export interface ComposedMail {
  /** Without angle brackets. */
  readonly messageId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly replyTo: Mailbox | null
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  /** Address to which it comes back. */
  readonly returnPath: string
}
