import type { JsonObject } from '../values/event.ts'

/** Marks by which what an installation gives out is known to be its own, so that it need not store it. Nobody else can make them. */
export interface Marks {
  /** Returns the mark of a content, whose parts follow one another. */
  of(...content: readonly (string | Uint8Array)[]): Uint8Array
  /** Returns it in base64url. */
  textOf(...content: readonly (string | Uint8Array)[]): string
  /** Whether a mark, in bytes or base64url, is that of a content. Takes the same time whatever was sent. */
  fits(mark: Uint8Array | string, ...content: readonly (string | Uint8Array)[]): boolean
}

/**
 * Secrets that Millrace shares with somebody outside and does not store: each is derived from the master secret and a nonce. A copy
 * of the data without the master secret therefore reveals none of them.
 */
export interface Secrets {
  /** Returns 32 bytes, always the same for the same purpose and nonce. */
  derive(purpose: string, nonce: string): Uint8Array
  /** Returns the marks of a purpose and a nonce. @param bytes that a mark has; default: 32. A storage format */
  marks(purpose: string, nonce: string, bytes?: number): Marks
}

/** Secrets under which Millrace keeps for itself, for a short time, what nobody else may read. */
export interface SealingSecrets extends Secrets {
  /** Seals data under the secret of a purpose and a nonce. Returns base64url. */
  seal(purpose: string, nonce: string, data: JsonObject): string
  /** Opens what was sealed. @throws {Error} when it was sealed under another secret, or has been altered */
  open(purpose: string, nonce: string, sealed: string): JsonObject
}
