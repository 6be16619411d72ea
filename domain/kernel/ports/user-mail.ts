/** Mail to a user of the installation. */
export interface MailToUser {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends mails to users of the installation, such as links to sign in. */
export interface UserMail {
  /** Sends a mail, if need be after several tries. @throws {Error} when it could not be handed over */
  send(mail: MailToUser): Promise<void>
}
