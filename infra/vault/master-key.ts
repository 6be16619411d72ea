import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'
import { HALF_BYTES, WRAPPED_KEY_BYTES } from './key-store.ts'
import { KEY_BYTES } from './sealing.ts'

const BLOCK_BYTES = 64
const HASH_BYTES = 32
/** Longest text, in characters, that is hashed without a buffer of its own. */
const MOST_KEPT = 300
const MOST_BYTES_A_CHARACTER = 3
/** Characters of 16 bytes in base64url. */
const HALF_CHARACTERS = 22
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
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
    this.#inner = padded(token, 0x36, MOST_KEPT * MOST_BYTES_A_CHARACTER)
    this.#outer = padded(token, 0x5c, HASH_BYTES)
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

  /**
   * Returns the first half of the HMAC-SHA256 of a text, 16 bytes in base64url. It is computed by its definition: two one-shot hashes that give text, over
   * blocks that are kept, take a third of the time of an Hmac object.
   */
  token(text: string): string {
    const length = text.length > MOST_KEPT ? 0 : this.#inner.write(text, BLOCK_BYTES)
    const inner = length > 0 ? this.#inner.subarray(0, BLOCK_BYTES + length) : beside(this.#inner, text)
    this.#outer.write(hash('sha256', inner, 'binary'), BLOCK_BYTES, 'latin1')
    return firstHalf(hash('sha256', this.#outer, 'base64url'))
  }
}

const beside = (block: Buffer, text: string): Buffer =>
  Buffer.concat([block.subarray(0, BLOCK_BYTES), Buffer.from(text, 'utf8')])

/** Shortens 32 bytes in base64url to their first 16. The last character keeps the two bits that are of the sixteenth byte. */
const firstHalf = (digest: string): string => {
  const last = ALPHABET.indexOf(digest[HALF_CHARACTERS - 1]!)
  return digest.slice(0, HALF_CHARACTERS - 1) + ALPHABET[last & 0b110000]
}

/** Returns the block of an HMAC that a text or a digest is written behind. */
function padded(key: Buffer, byte: number, room: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES + room, byte)
  for (let i = 0; i < key.length; i++) block[i] = byte ^ key[i]!
  return block
}
