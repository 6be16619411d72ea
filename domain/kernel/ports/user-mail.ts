/** Mail to a user of the installation. */
export interface MailToUser {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Asked when a connection is open, right before the mail begins, and again before each further try: whether it is still to go. Default: it is. */
  isWanted?(): Promise<boolean>
}

/** Sends mails to users of the installation, such as links to sign in. */
export interface UserMail {
  /** Sends a mail, unless it is not wanted any more, if need be after several tries. @throws {Error} when it could not be handed over */
  send(mail: MailToUser): Promise<void>
}
