/**
 * Secrets that Millrace shares with somebody outside and keeps nowhere: each is derived from the master secret and a nonce, so that
 * a copy of the data without the master secret gives none of them away.
 */
export interface Secrets {
  /** 32 bytes; always the same for the same purpose and nonce. */
  derive(purpose: string, nonce: string): Uint8Array
}
