import type { JsonObject } from '../values/event.ts'

/**
 * Secrets that Millrace shares with somebody outside and does not store: each is derived from the master secret and a nonce. A copy
 * of the data without the master secret therefore reveals none of them.
 */
export interface Secrets {
  /** Returns 32 bytes, always the same for the same purpose and nonce. */
  derive(purpose: string, nonce: string): Uint8Array
}

/** Secrets under which Millrace keeps for itself, for a short time, what nobody else may read. */
export interface SealingSecrets extends Secrets {
  /** Seals data under the secret of a purpose and a nonce. Returns base64url. */
  seal(purpose: string, nonce: string, data: JsonObject): string
  /** Opens what was sealed. @throws {Error} when it was sealed under another secret, or has been altered */
  open(purpose: string, nonce: string, sealed: string): JsonObject
}
