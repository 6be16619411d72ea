import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'

/** Bytes of a half of a key in the file of halves, and of a key as versions up to 0.3 wrapped it. */
export const HALF_BYTES = 32

/** Bytes of a key as it is stored: wrapped under the master secret (RFC 3394), which makes it eight longer than it is. */
export const WRAPPED_KEY_BYTES = 40

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

/** Keys that are there, to be used and neither made nor destroyed. */
export const readOnlyKeys = (keys: Pick<KeyStore, 'get'>): KeyStore => {
  const refuse = (): never => {
    throw new Error('keys are neither made nor destroyed here')
  }
  return {
    get: (subject) => keys.get(subject),
    keep: (subject) => mapMaybe(keys.get(subject), (key) => key ?? refuse()),
    destroy: refuse,
  }
}
