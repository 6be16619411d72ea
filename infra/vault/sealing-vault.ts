import { LRUCache } from 'lru-cache'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { comparable } from '../../domain/kernel/values/comparable.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { FINGERPRINT, type KeyStore, readOnlyKeys } from './key-store.ts'
import { MasterKey } from './master-key.ts'
import { KEY_BYTES, open, randomBytes, seal } from './sealing.ts'

const KEYS_IN_MEMORY = 50_000
/** Number of subjects whose last sealed data is cached. */
const OPENED_IN_MEMORY = 1000
const TOKENS_IN_MEMORY = 1000
/** Longest time for which this process still uses a key that another process has destroyed. */
const REMEMBERED_MS = 60_000
const AS_TEXT = 'latin1'

/**
 * Opens a vault over a key store.
 * @param secret the master secret, at least 32 bytes
 * @throws {Error} when the keys in the store were wrapped under another master secret
 */
export async function openVault(keys: KeyStore, secret: Uint8Array): Promise<Vault> {
  const master = new MasterKey(secret)
  const known = await keys.keep(FINGERPRINT, () => master.fingerprint)
  if (known === 'destroyed' || !Buffer.from(known).equals(master.fingerprint)) {
    throw new Error(
      'The master secret is not the one that the stored personal data was sealed under. ' +
        'Configure the secret that was in use when the data directory was made.',
    )
  }
  return new SealingVault(keys, master)
}

/** Opens a vault that only uses existing keys, for a few minutes. It does not check the master secret: the caller must have done so. */
export const openKnownVault = (keys: Pick<KeyStore, 'get'>, secret: Uint8Array): Vault =>
  new SealingVault(readOnlyKeys(keys), new MasterKey(secret))

/** Data of a subject that was sealed last. It is soon read again for projections and answers. */
interface Opened {
  readonly sealed: string
  readonly personal: JsonObject
}

/** New key, in plain and as it is stored. */
interface NewKey {
  readonly key: Buffer
  readonly wrapped: Buffer
}

class SealingVault implements Vault {
  readonly #keys: KeyStore
  readonly #master: MasterKey
  /** Keys, a character for each byte: as buffers they would take eight times the memory. */
  readonly #known = new LRUCache<number, string>({ max: KEYS_IN_MEMORY, ttl: REMEMBERED_MS })
  readonly #opened = new LRUCache<number, Opened>({ max: OPENED_IN_MEMORY, ttl: REMEMBERED_MS })
  /** Digests by purpose and value. Projections soon need the digest of a decision, and most values of a person stay from event to event. */
  readonly #tokens = new LRUCache<string, string>({ max: TOKENS_IN_MEMORY })

  constructor(keys: KeyStore, master: MasterKey) {
    this.#keys = keys
    this.#master = master
  }

  seal(subject: number, personal: JsonObject): MaybePromise<string> {
    const known = this.#keyOf(subject)
    if (known) return this.#seal(subject, known, personal)
    let made: NewKey | undefined
    const make = () => {
      const key = randomBytes(KEY_BYTES)
      made = { key, wrapped: this.#master.wrap(key) }
      return made.wrapped
    }
    return mapMaybe(this.#keys.keep(subject, make), (wrapped) => {
      if (wrapped === 'destroyed')
        throw refuse.conflict(`The personal data of ${subject} has been erased; nothing can be added.`, 'id', 'erased')
      // A key that was made just now need not be unwrapped, which takes longer than wrapping it.
      const key = wrapped === made?.wrapped ? this.#remember(subject, made.key) : this.#unwrap(subject, wrapped)
      return this.#seal(subject, key, personal)
    })
  }

  open(subject: number, sealed: string): MaybePromise<JsonObject | null> {
    const opened = this.#opened.get(subject)
    if (opened?.sealed === sealed) return opened.personal
    const known = this.#keyOf(subject)
    if (known) return open(known, sealed)
    return mapMaybe(this.#keys.get(subject), (wrapped) => {
      if (wrapped === 'destroyed') return null
      if (!wrapped)
        throw new Error(
          `There is no key for the personal data of ${subject} here. The keys of a log on a server are in the data directory or the MongoDB that it was written with: ` +
            'use that one (--data, MILLRACE_DATA or MONGODB_URL), or give this installation a log of its own. ' +
            'If this is the right one, it has lost keys: restore it from a backup.',
        )
      return open(this.#unwrap(subject, wrapped), sealed)
    })
  }

  async destroy(subject: number): Promise<void> {
    this.#forget(subject)
    await this.#keys.destroy(subject)
    this.#forget(subject)
  }

  token(purpose: string, value: string): string {
    const name = `${purpose}\0${value}`
    const known = this.#tokens.get(name)
    if (known !== undefined) return known
    const token = this.#master.token(`${purpose}\0${comparable(value)}`)
    this.#tokens.set(name, token)
    return token
  }

  #forget(subject: number): void {
    this.#known.delete(subject)
    this.#opened.delete(subject)
    this.#tokens.clear()
  }

  #unwrap(subject: number, wrapped: Uint8Array): Buffer {
    try {
      return this.#remember(subject, this.#master.unwrap(wrapped))
    } catch (cause) {
      const { message } = cause as Error
      throw new Error(`The key for the personal data of ${subject} cannot be used: ${message}.`, { cause })
    }
  }

  #remember(subject: number, key: Buffer): Buffer {
    this.#known.set(subject, key.toString(AS_TEXT))
    return key
  }

  #keyOf(subject: number): Buffer | undefined {
    const known = this.#known.get(subject)
    return known === undefined ? undefined : Buffer.from(known, AS_TEXT)
  }

  #seal(subject: number, key: Buffer, personal: JsonObject): string {
    const sealed = seal(key, personal)
    this.#opened.set(subject, { sealed, personal })
    return sealed
  }
}
