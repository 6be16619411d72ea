import { isUtf8 } from 'node:buffer'
import { refuse } from '../../domain/kernel/values/refusal.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i

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
