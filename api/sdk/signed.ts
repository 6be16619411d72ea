import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { isJsonObject, type JsonObject } from '../../domain/kernel/values/event.ts'

const MAC_BYTES = 16

/** Texts that the installation signs for one purpose and gives out, so that it need not store them. */
export interface Signed<T extends JsonObject> {
  /** Returns a text that holds the content, for URLs and forms. Everybody can read it, and nobody can make another. */
  sign(content: T): string
  /** Returns the content of a text that was signed for this purpose; `undefined` for any other. */
  verify(text: string): T | undefined
}

/** Creates the signing (HMAC-SHA256) for one purpose. A new secret of the installation invalidates all texts. */
export const signedTexts = <T extends JsonObject>(secrets: Pick<Secrets, 'derive'>, purpose: string): Signed<T> => {
  const secret = secrets.derive('sdk', purpose)
  const macOf = (content: string): Buffer =>
    createHmac('sha256', secret).update(content).digest().subarray(0, MAC_BYTES)
  return {
    sign(content) {
      const text = Buffer.from(JSON.stringify(content)).toString('base64url')
      return `${text}.${macOf(text).toString('base64url')}`
    },
    verify(text) {
      const [content = '', mac = ''] = text.split('.')
      const sent = Buffer.from(mac, 'base64url')
      if (sent.length !== MAC_BYTES || !timingSafeEqual(sent, macOf(content))) return undefined
      const parsed: unknown = JSON.parse(Buffer.from(content, 'base64url').toString())
      // What carries the signature was made by `sign` of this purpose.
      return isJsonObject(parsed as JsonObject) ? (parsed as T) : undefined
    },
  }
}
