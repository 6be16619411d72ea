import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'
import { HALF_BYTES, WRAPPED_KEY_BYTES } from './key-store.ts'
import { KEY_BYTES } from './sealing.ts'

const BLOCK_BYTES = 64
const WRAP_CIPHER = 'id-aes256-wrap'
/** Initial value by which unwrapping checks its result (RFC 3394, 2.2.3.1). */
const CHECK = Buffer.alloc(8, 0xa6)

/** Keys derived from the master secret. The secret itself is not kept. */
export class MasterKey {
  readonly #wrappingKey: Buffer
  readonly #oldDecipher
  readonly #inner: Buffer
  readonly #outer: Buffer
  /** Distinguishes master secrets without revealing them. */
  readonly fingerprint: Uint8Array

  /** @param secret at least 32 bytes of entropy */
  constructor(secret: Uint8Array) {
    const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'millrace', use, KEY_BYTES))
    this.#wrappingKey = derive('AES key wrap')
    this.#oldDecipher = createDecipheriv('aes-256-ecb', derive('key wrapping'), null).setAutoPadding(false)
    const token = derive('tokens')
    this.#inner = padded(token, 0x36)
    this.#outer = padded(token, 0x5c)
    this.fingerprint = derive('fingerprint')
  }

  /** Wraps a 32-byte key by AES key wrap (RFC 3394). */
  wrap(key: Uint8Array): Buffer {
    return createCipheriv(WRAP_CIPHER, this.#wrappingKey, CHECK).update(key)
  }

  /**
   * Returns the key. Any version may have wrapped it: the forms differ in length. Versions up to 0.3 enciphered each block by itself,
   * without a check. A wrong key is then only noticed when it does not open the data.
   *
   * @throws {Error} when it was wrapped under another master secret, or has been altered
   */
  unwrap(wrapped: Uint8Array): Buffer {
    if (wrapped.length === HALF_BYTES) return this.#oldDecipher.update(wrapped)
    try {
      if (wrapped.length !== WRAPPED_KEY_BYTES) throw new Error(`it has ${wrapped.length} bytes`)
      return createDecipheriv(WRAP_CIPHER, this.#wrappingKey, CHECK).update(wrapped)
    } catch (cause) {
      throw new Error('it was wrapped under another master secret, or has been altered', { cause })
    }
  }

  /** Returns the HMAC-SHA256, computed by its definition: for short texts, two one-shot hashes take half the time of an Hmac object. */
  mac(text: string): Buffer {
    const inner = hash('sha256', Buffer.concat([this.#inner, Buffer.from(text, 'utf8')]), 'buffer')
    return hash('sha256', Buffer.concat([this.#outer, inner]), 'buffer')
  }
}

function padded(key: Buffer, byte: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, byte)
  for (let i = 0; i < key.length; i++) block[i] = byte ^ key[i]!
  return block
}
