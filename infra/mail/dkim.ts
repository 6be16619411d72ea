import type { KeyObject } from 'node:crypto'
import RelaxedBody from 'nodemailer/lib/dkim/relaxed-body.js'
import sign from 'nodemailer/lib/dkim/sign.js'

/** Signed headers. The list of the library lacks those that our mails have besides. */
const SIGNED = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'Cc', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted'],
].join(':')

const hashOf = (body: string): string => {
  const relaxed = new RelaxedBody()
  relaxed.updateHash(Buffer.from(body), true)
  return relaxed.bodyHash.digest('base64')
}

/** Key of a sending domain. It is kept opened: opening takes longer than signing. */
export interface DomainKey {
  readonly domainName: string
  readonly keySelector: string
  readonly privateKey: KeyObject
}

/** Signs a message. @returns a header line. @param body ends with the end of a line */
export const dkimSignature = (header: string, body: string, key: DomainKey): string => {
  const lines = header.split(/\r\n(?![ \t])/).filter((line) => line !== '')
  const fields = lines.map((line) => ({ key: line.slice(0, line.indexOf(':')).toLowerCase(), line }))
  const signature = sign(fields, 'sha256', hashOf(body), { ...key, headerFieldNames: SIGNED })
  if (signature === false) throw new Error('the key of the domain cannot sign')
  return `${signature}\r\n`
}
