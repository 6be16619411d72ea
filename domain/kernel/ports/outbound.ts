/** A POST request to an address that a user chose. */
export interface OutboundPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request for a file at an address that a user chose. */
export interface OutboundGet {
  readonly url: string
  /** Accepted media types, as the value of the header `Accept`. */
  readonly accept: string
  /** Largest size in bytes. A longer answer is refused as soon as that is known, and discarded. */
  readonly mostBytes: number
  /** Default: as for all requests. */
  readonly timeoutMs?: number
  /** Default: 3. */
  readonly mostRedirects?: number
}

/** Result of a request for a file. */
export type OutboundFile =
  | {
      readonly kind: 'fetched'
      readonly content: Uint8Array
      /** Headers by which the answer may be cached. */
      readonly headers?: { readonly 'cache-control'?: string | undefined; readonly expires?: string | undefined }
    }
  /** `reason` is a short sentence without addresses of this network. */
  | { readonly kind: 'refused' | 'failed'; readonly reason: string }

/** Result of a POST request. Failure is an ordinary outcome, not an exception. */
export type OutboundResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Header `Retry-After` as it was sent. */
      readonly retryAfter: string | undefined
      /** Beginning of the response body, as text. */
      readonly excerpt: string
    }
  /** The address may not be called; `reason` says why. Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** There was no answer. `reason` is a short sentence without addresses of this network. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Sends requests to addresses that users choose. They must not reach hosts that only this machine can reach: every address is checked after its name
 * has been resolved, and the connection is made to the checked address. Answers are read up to a limit, and a request ends after a bounded time. A few
 * redirects are followed, for files only, and each target is checked like the first address.
 */
export interface Outbound {
  post(request: OutboundPost): Promise<OutboundResult>
  get(request: OutboundGet): Promise<OutboundFile>
  /** Returns the reason why a URL can never be called, without resolving its name; `undefined` if there is none. */
  objection(url: string): string | undefined
  close(): Promise<void>
}
