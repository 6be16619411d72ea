/** A request to an address that somebody outside chose. */
export interface OutboundPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A file at an address that somebody outside chose. */
export interface OutboundGet {
  readonly url: string
  /** Media types that are wanted, as the header `Accept` says them. */
  readonly accept: string
  /** A longer answer is refused as soon as it shows; nothing of it is kept. */
  readonly mostBytes: number
}

export type OutboundFile =
  | { readonly kind: 'fetched'; readonly content: Uint8Array }
  /** As with an answer to a post: `reason` is a short sentence without addresses of this network. */
  | { readonly kind: 'refused' | 'failed'; readonly reason: string }

/** What became of it. Never an exception: failure is an ordinary outcome of talking to strangers. */
export type OutboundResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The header `Retry-After` as it was sent. */
      readonly retryAfter: string | undefined
      /** The beginning of the answer's body, as text. */
      readonly excerpt: string
    }
  /** The address is not one that may be called; `reason` says why. Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer: `reason` is a short sentence without addresses of this network. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Requests to addresses that users choose, which must not reach what only this machine can reach: every address is checked
 * after the name has been resolved, and the connection goes to the address that was checked. Answers are read up to a bound, and a request
 * ends after a bounded time. Redirects are followed for files alone, a few of them, each checked like the first address.
 */
export interface Outbound {
  post(request: OutboundPost): Promise<OutboundResult>
  get(request: OutboundGet): Promise<OutboundFile>
  /** Why this URL can never be called, as far as that shows without resolving its name; `undefined` when nothing is wrong. */
  objection(url: string): string | undefined
  close(): Promise<void>
}
