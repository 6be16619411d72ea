/**
 * Secrets that Millrace shares with somebody outside. Its own are kept nowhere: each is derived from the master secret and a nonce.
 * Those that others gave are kept sealed. So a copy of the data without the master secret gives none of them away.
 */
export interface Secrets {
  /** 32 bytes; always the same for the same purpose and nonce. */
  derive(purpose: string, nonce: string): Uint8Array
  /** Seals what somebody else chose, for one purpose. */
  seal(purpose: string, secret: string): string
  /** What was sealed for the purpose. @throws {Error} when it was not, or under another master secret */
  open(purpose: string, sealed: string): string
}
