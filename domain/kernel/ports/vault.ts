import type { JsonObject } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'

/**
 * Keeps a key per person and seals what is personal under it (AES-256-GCM). Destroying the key erases the person from every
 * event, document, export and backup at once (design 4, Erasure). A backup of the key store itself that is older still has the
 * key, wrapped by the master secret: keep such backups shorter than the others.
 */
export interface Vault {
  /** Seals under the subject's key, which is made if there is none. The key is as durable as the next append. Refuses a destroyed subject. */
  seal(subject: number, personal: JsonObject): MaybePromise<string>
  /** What was sealed, or `null` when the subject's key has been destroyed. */
  open(subject: number, sealed: string): MaybePromise<JsonObject | null>
  /** Destroys the key for good. Repeating it is harmless. */
  destroy(subject: number): Promise<void>
  /** A keyed one-way digest by which a personal value can be found and claimed without being stored. Case and outer space do not count. */
  token(purpose: string, value: string): string
}
