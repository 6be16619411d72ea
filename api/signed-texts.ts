import type { Secrets } from '../domain/kernel/ports/secrets.ts'
import { isJsonObject, type JsonObject } from '../domain/kernel/values/event.ts'

const MAC_BYTES = 16

/** Texts that the installation signs for one purpose and gives out, so that it need not store them. */
export interface Signed<T extends JsonObject> {
  /** Returns a text that holds the content, for URLs and forms. Everybody can read it, and nobody can make another. */
  sign(content: T): string
  /** Returns the content of a text that was signed for this purpose; `undefined` for any other. */
  verify(text: string): T | undefined
}

/** Creates the signing (HMAC-SHA256) for one purpose. A new secret of the installation invalidates all texts. */
export const signedTexts = <T extends JsonObject>(secrets: Pick<Secrets, 'marks'>, purpose: string): Signed<T> => {
  const marks = secrets.marks('sdk', purpose, MAC_BYTES)
  return {
    sign(content) {
      const text = Buffer.from(JSON.stringify(content)).toString('base64url')
      return `${text}.${marks.textOf(text)}`
    },
    verify(text) {
      const [content = '', mac = ''] = text.split('.')
      if (!marks.fits(mac, content)) return undefined
      const parsed: unknown = JSON.parse(Buffer.from(content, 'base64url').toString())
      // What carries the signature was made by `sign` of this purpose.
      return isJsonObject(parsed as JsonObject) ? (parsed as T) : undefined
    },
  }
}
