/** What a report says about one recipient of a mail (RFC 3464). */
export interface RecipientReport {
  /** Addresses by which it names the recipient: the last one, and the first where it was passed on. Empty: it names none. */
  readonly addresses: readonly string[]
  /** `failed`, `delayed`, `delivered`, `relayed` or `expanded`. */
  readonly action: string
  /** Enhanced status such as `5.1.1`; `null`: the report has none. */
  readonly status: string | null
  /** What the receiving server answered; may name the recipient. `null`: the report does not say. */
  readonly diagnostic: string | null
}

/** A mail that came in, as far as it reports about one that went out. */
export type MailReport =
  | { readonly kind: 'delivery'; readonly recipients: readonly RecipientReport[] }
  /** Somebody reported a mail to their provider (RFC 5965). */
  | {
      readonly kind: 'complaint'
      /** `abuse`, `fraud`, `not-spam` or another word. */
      readonly type: string
      /** Message-IDs of the mails in the report, in their order, without angle brackets. */
      readonly messageIds: readonly string[]
    }
  /** An automatic reply, a mail by a person, or what cannot be read. */
  | { readonly kind: 'none' }

/** Takes reports about mails. */
export interface MailReports {
  /** Whether mail to an address is taken at all. */
  accepts(recipient: string): boolean
  /** Takes a report that came to an address. The same report may come again. @throws {Refusal} unavailable */
  take(recipient: string, report: MailReport): Promise<void>
}
