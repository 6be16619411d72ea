import type { JsonObject } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/**
 * Keeps a key for each person and seals personal data under it (AES-256-GCM). Destroying the key erases the person from every
 * event, document, export and backup at once. An older backup of the key store itself still has the key, wrapped by the master
 * secret, so such backups should be kept for less time than others.
 */
export interface Vault {
  /** Seals data under the subject's key, which is made if there is none. A new key is durable with the next append. Refuses a destroyed subject. */
  seal(subject: number, personal: JsonObject): MaybePromise<string>
  /** Returns the data that was sealed, or `null` when the subject's key has been destroyed. */
  open(subject: number, sealed: string): MaybePromise<JsonObject | null>
  /** Destroys the subject's key for good. Repeating it is harmless. */
  destroy(subject: number): Promise<void>
  /** Returns a keyed one-way digest by which a personal value can be found and claimed without being stored. Texts that `comparable` takes for the same have the same digest. */
  token(purpose: string, value: string): string
}
