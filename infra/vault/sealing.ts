import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import type { JsonObject } from '../../domain/kernel/values/event.ts'

export const KEY_BYTES = 32
const CIPHER = 'aes-256-gcm'
const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + IV_BYTES

/** Supply of random bytes: drawing them a dozen at a time is expensive. */
const random = Buffer.alloc(8192)
let drawnBytes = random.length

/** Seals data under a 32-byte key. Returns base64url of version byte, random iv, AES-256-GCM ciphertext of the JSON, tag. */
export function seal(key: Uint8Array, personal: JsonObject): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const body = cipher.update(JSON.stringify(personal), 'utf8')
  cipher.final()
  const sealed = Buffer.allocUnsafe(HEAD_BYTES + body.length + TAG_BYTES)
  sealed[0] = VERSION
  sealed.set(iv, 1)
  sealed.set(body, HEAD_BYTES)
  sealed.set(cipher.getAuthTag(), HEAD_BYTES + body.length)
  return sealed.toString('base64url')
}

/** Opens sealed data. @throws {Error} when it was not sealed under this key, or has been altered */
export function open(key: Uint8Array, text: string): JsonObject {
  const sealed = Buffer.from(text, 'base64url')
  if (sealed[0] !== VERSION || sealed.length < HEAD_BYTES + TAG_BYTES) {
    throw new Error('Sealed data has an unknown form: it was cut short, or sealed by a newer version of Millrace.')
  }
  const end = sealed.length - TAG_BYTES
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(end))
  const body = decipher.update(sealed.subarray(HEAD_BYTES, end))
  try {
    decipher.final()
  } catch (cause) {
    throw new Error('Sealed data does not open: it was sealed under another key, or has been altered.', { cause })
  }
  return JSON.parse(body.toString('utf8'))
}

/** Returns that many random bytes. No other caller gets the same ones. */
export function randomBytes(bytes: number): Buffer {
  if (drawnBytes + bytes > random.length) {
    randomFillSync(random)
    drawnBytes = 0
  }
  drawnBytes += bytes
  const taken = Buffer.from(random.subarray(drawnBytes - bytes, drawnBytes))
  random.fill(0, drawnBytes - bytes, drawnBytes)
  return taken
}
