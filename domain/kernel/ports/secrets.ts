/**
 * Secrets that Millrace shares with somebody outside and does not store: each is derived from the master secret and a nonce. A copy
 * of the data without the master secret therefore reveals none of them.
 */
export interface Secrets {
  /** Returns 32 bytes, always the same for the same purpose and nonce. */
  derive(purpose: string, nonce: string): Uint8Array
}
