/** What a link of a mail is for. */
export type MailLink =
  | { readonly kind: 'open' | 'unsubscribe' | 'preferences' | 'confirm' | 'pay'; readonly deliveryId: number }
  | {
      readonly kind: 'download'
      readonly deliveryId: number
      /** Id of the file. */
      readonly number: number
    }
  | {
      readonly kind: 'click'
      readonly deliveryId: number
      /** Number of the link in the mail, from 0. */
      readonly number: number
      /** Where it leads. */
      readonly url: string
    }

/**
 * Links of mails. Each holds a signed token and nothing of the recipient. No link needs a record, so it works for as long as the mail exists, whatever
 * becomes of the broadcast, the workflow or the sending domain.
 */
export interface MailLinks {
  /** Returns the URL of a link. */
  urlOf(link: MailLink): string
  /** Returns the link of a token in a URL; `undefined` for one that was not signed here. */
  read(token: string): MailLink | undefined
  /** Whether a URL is one of these links, or one to the members' side. */
  isOwn(url: string): boolean
  /** Returns the address to which a mail comes back, within a domain. */
  returnPath(deliveryId: number, domain: string): string
  /** Returns the delivery of a return path; `undefined` for any other address. */
  deliveryOf(returnPath: string): number | undefined
  /** Returns the Message-ID of a mail, without angle brackets. */
  messageId(deliveryId: number, domain: string): string
  /** Returns the delivery of a Message-ID; `undefined` for one that was not made here. */
  deliveryOfMessage(messageId: string): number | undefined
}
