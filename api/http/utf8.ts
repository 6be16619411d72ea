import { isUtf8 } from 'node:buffer'
import { refuse } from '../../domain/kernel/values/refusal.ts'

const CHARSET = /;\s*charset\s*=\s*["']?([^\s;"']+)/i

/** Names of encodings whose texts are UTF-8. */
const READ: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Checks the encoding that a `Content-Type` names. @throws {Refusal} unsupported, for any but UTF-8 */
export const checkCharset = (contentType: string | undefined): void => {
  const charset = CHARSET.exec(contentType ?? '')?.[1]
  if (charset !== undefined && !READ.has(charset.toLowerCase()))
    throw refuse.unsupported('a body must be in UTF-8, and Content-Type names another charset')
}

/** Returns the text of a body, without a byte order mark. @throws {Refusal} malformed, for bytes that are not UTF-8 */
export const utf8Text = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw refuse.malformed('HTTP body must be in UTF-8')
  const text = bytes.toString('utf8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** A percent sign that begins no escape. Browsers and programs send it as it is. */
const BARE_PERCENT = /%(?![\da-f]{2})/gi

/** Whether all that is escaped in a form or a query is UTF-8. What is not would be read as U+FFFD, and lost for good. */
export const isUtf8Escaped = (text: string): boolean => {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text.replace(BARE_PERCENT, '%25'))
    return true
  } catch {
    return false
  }
}

/** Returns the fields of a form or a query. @throws {Refusal} malformed, where what is escaped in it is not UTF-8 */
export const fieldsOfText = (text: string): URLSearchParams => {
  if (!isUtf8Escaped(text)) throw refuse.malformed('a form or a query must be in UTF-8')
  return new URLSearchParams(text)
}

/** Returns the fields of the body of a form. @throws {Refusal} malformed, where it is not UTF-8, before or after it is unescaped */
export const fieldsOfBody = (bytes: Buffer): URLSearchParams => fieldsOfText(utf8Text(bytes))
