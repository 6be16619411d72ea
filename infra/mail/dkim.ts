import { createSign, type KeyObject } from 'node:crypto'
import RelaxedBody from 'nodemailer/lib/dkim/relaxed-body.js'
import sign from 'nodemailer/lib/dkim/sign.js'

/** Signed headers. The list of the library lacks those that our mails have besides. */
const SIGNED = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'Cc', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted'],
].join(':')

/** Headers that a mail has once or not at all: a further one, which a mail program might show instead, ends the signature (RFC 6376, 5.4.2). */
const ONCE = [
  ...['from', 'reply-to', 'subject', 'date', 'message-id', 'to', 'cc', 'mime-version', 'content-type'],
  ...['content-transfer-encoding', 'list-unsubscribe', 'list-unsubscribe-post'],
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

/** Returns a header as it is signed: on one line, with single spaces (RFC 6376, 3.4.2). */
const relaxed = (line: string): string =>
  line
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^([^:]+) ?: ?/, '$1:')

/** Returns the header of a signature that is to come. */
const unsigned = ({ domainName, keySelector }: DomainKey, body: string, names: string): string =>
  [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domainName};`,
    `q=dns/txt; s=${keySelector};`,
    `bh=${hashOf(body)};`,
    `h=${names.replaceAll(':', ':\r\n ')};`,
    'b=',
  ].join('\r\n ')

/** Signs a message. @returns a header line. @param body ends with the end of a line */
export const dkimSignature = (header: string, body: string, key: DomainKey): string => {
  const lines = header.split(/\r\n(?![ \t])/).filter((line) => line !== '')
  const fields = lines.map((line) => ({ key: line.slice(0, line.indexOf(':')).toLowerCase(), line }))
  const { headers, fieldNames } = sign.relaxedHeaders(fields, SIGNED)
  const line = unsigned(key, body, `${fieldNames}:${ONCE}`)
  const signer = createSign('RSA-SHA256')
    .update(headers, 'latin1')
    .update(relaxed(line).replace(/^[^:]+/, 'dkim-signature'))
  const signature = signer.sign(key.privateKey, 'base64').replace(/.{72}(?=.)/g, '$&\r\n ')
  return `${line}${signature}\r\n`
}
