import type { MaybePromise } from '../values/maybe-promise.ts'

/** A mailbox with the name that is shown for it. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** A mail to one recipient, as it will be read. */
export interface ComposedMail {
  /** Without angle brackets. */
  readonly messageId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly replyTo: Mailbox | null
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Both as they are sent, in quoted-printable, where that was done beside the event loop. */
  readonly encoded?: { readonly html: string; readonly text: string }
  /** Further headers, such as List-Unsubscribe. */
  readonly headers: Readonly<Record<string, string>>
  /** Address to which reports about this mail alone are sent. */
  readonly returnPath: string
}

/** Key that the domain of a sender signs with at present. */
export interface SigningKey {
  /** Signs a message. @returns a header for it */
  sign(header: string, body: string): string
}

/** A mail to hand over, and whose it is. */
export interface OutgoingMail {
  /**
   * Composes it when all is ready for its first byte, and anew for each server: whether it goes is asked in here. What this throws, the hand-over does.
   *
   * @returns `undefined`: it does not go any more
   */
  compose(): MaybePromise<ComposedMail | undefined>
  /** When it began to wait for its turn, by `performance.now()`. What a server has refused to everybody since is not tried again. */
  readonly waitsSince?: number
  /** Contact whom it is to, or about. It is kept under their key. */
  readonly contactId: number
  readonly mailingId: number
  readonly deliveryId: number
  readonly signWith: SigningKey | undefined
}

/** A fault of ours or of our server, which would meet every mail. Nothing was handed over. */
export interface OwnFault {
  readonly came: 'ours'
  readonly reason: string
  readonly reply?: string
  /** It came when this recipient had been named, or was written for, so it may meet this mail alone. */
  readonly atRecipient?: true
}

/** What came of handing a mail over. `reply` has the codes of the server's answer without its text, which may name the recipient. */
export type HandOver =
  /** It does not go any more. Nothing was handed over. */
  | { readonly came: 'stayed' }
  | { readonly came: 'accepted'; readonly reply?: string }
  /** The mailbox or its domain does not exist. */
  | { readonly came: 'bounced'; readonly reason: string; readonly reply?: string }
  /** The server refuses this mail for good. */
  | { readonly came: 'refused'; readonly reason: string; readonly reply?: string }
  /** The server asks to try again later. */
  | { readonly came: 'deferred'; readonly reason: string; readonly reply?: string }
  | OwnFault
  /** All of it was sent, and the answer was lost. */
  | { readonly came: 'doubt'; readonly reason: string }

/** Hands mails over. */
export interface MailTransport {
  /** Whether mails are kept as files, so that handing over again changes nothing. */
  readonly keeps: boolean
  /** Mails that are handed over at once. */
  readonly atOnce: number
  handOver(outgoing: OutgoingMail): Promise<HandOver>
  /** Begins nothing any more: mails that wait for a connection come back as not handed over. */
  drain(): void
  close(): Promise<void>
}
