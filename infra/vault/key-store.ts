import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'

/** Size in bytes of a half of a key, and of a key that a version up to 0.3 has wrapped. */
export const HALF_BYTES = 32

/** Size in bytes of a stored key. It is wrapped under the master secret (RFC 3394), which adds eight bytes. */
export const WRAPPED_KEY_BYTES = 40

/** Id under which the store keeps the fingerprint of the master secret. No person has it. */
export const FINGERPRINT = 0

/** Store of the wrapped keys of subjects. */
export interface KeyStore {
  /** Returns the wrapped key, `'destroyed'` when it has been destroyed, `undefined` when there never was one. */
  get(subject: number): MaybePromise<Uint8Array | 'destroyed' | undefined>
  /**
   * Returns the key of a subject. Where it never had one, stores a first one, durable no later than the next append to the log. Returns
   * the key that is then in the store: another process may have been quicker.
   */
  keep(subject: number, first: () => Uint8Array): MaybePromise<Uint8Array | 'destroyed'>
  /** Replaces the key by a tombstone, on disk when it resolves. */
  destroy(subject: number): Promise<void>
}

/** Returns a store of existing keys, which can be used but neither made nor destroyed. */
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
