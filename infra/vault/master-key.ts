import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'
import { HALF_BYTES, WRAPPED_KEY_BYTES } from './key-store.ts'
import { KEY_BYTES } from './sealing.ts'

const BLOCK_BYTES = 64
const WRAPPING = 'id-aes256-wrap'
/** The initial value by which unwrapping knows that it came out right (RFC 3394, 2.2.3.1). */
const CHECK = Buffer.alloc(8, 0xa6)

/** What is derived from the master secret; the secret itself is not kept. */
export class MasterKey {
  readonly #wrapping: Buffer
  readonly #formerly
  readonly #inner: Buffer
  readonly #outer: Buffer
  /** Tells one master secret from another without giving it away. */
  readonly fingerprint: Uint8Array

  /** @param secret at least 32 bytes of entropy */
  constructor(secret: Uint8Array) {
    const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'millrace', use, KEY_BYTES))
    this.#wrapping = derive('AES key wrap')
    this.#formerly = createDecipheriv('aes-256-ecb', derive('key wrapping'), null).setAutoPadding(false)
    const token = derive('tokens')
    this.#inner = padded(token, 0x36)
    this.#outer = padded(token, 0x5c)
    this.fingerprint = derive('fingerprint')
  }

  /** AES key wrap of a 32-byte key (RFC 3394). */
  wrap(key: Uint8Array): Buffer {
    return createCipheriv(WRAPPING, this.#wrapping, CHECK).update(key)
  }

  /**
   * The key, whichever version wrapped it: the forms have different lengths. Up to 0.3 each block was enciphered by itself, without a check; that the
   * key is the right one is then only seen by what it opens.
   *
   * @throws {Error} when it was wrapped under another master secret, or has been altered
   */
  unwrap(wrapped: Uint8Array): Buffer {
    if (wrapped.length === HALF_BYTES) return this.#formerly.update(wrapped)
    try {
      if (wrapped.length !== WRAPPED_KEY_BYTES) throw new Error(`it has ${wrapped.length} bytes`)
      return createDecipheriv(WRAPPING, this.#wrapping, CHECK).update(wrapped)
    } catch (cause) {
      throw new Error('it was wrapped under another master secret, or has been altered', { cause })
    }
  }

  /** HMAC-SHA256, by its definition: two one-shot hashes take half the time of an Hmac object for short texts. */
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
