import type { MaybePromise } from '../../domain/kernel/maybe-promise.ts'

/** Bytes of a key as it is stored: wrapped under the master secret. */
export const WRAPPED_KEY_BYTES = 32

/** No person has this id: under it the store keeps the fingerprint of the master secret. */
export const FINGERPRINT = 0

/** Where the wrapped key of each subject is kept. */
export interface KeyStore {
  /** The wrapped key, `'destroyed'` when it has been destroyed, `undefined` when there never was one. */
  get(subject: number): MaybePromise<Uint8Array | 'destroyed' | undefined>
  /**
   * The key of a subject; where it never had one, keeps a first one, no later than the next append to the log. Gives what the store then holds:
   * another process may have been quicker.
   */
  keep(subject: number, first: () => Uint8Array): MaybePromise<Uint8Array | 'destroyed'>
  /** Replaces the key by a tombstone, on disk when it resolves. */
  destroy(subject: number): Promise<void>
}
