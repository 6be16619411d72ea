import MimeNode from 'nodemailer/lib/mime-node'
import type { ComposedMail, SigningKey } from '../../domain/kernel/ports/mail-transport.ts'
import { encodedParts } from './encoded.ts'

const partOf = (type: string, encoded: string): string =>
  `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${encoded}\r\n`

/** Writes a mail as it is sent, signed where there is a key. */
export const writeMessage = (mail: ComposedMail, signWith: SigningKey | undefined): Buffer => {
  const { messageId, from, to, replyTo, subject, headers, encoded = encodedParts(mail) } = mail
  // Nobody can know the Message-ID, so that no text has a line like this.
  const root = new MimeNode('multipart/alternative', { baseBoundary: messageId.split('@')[0], textEncoding: 'Q' })
  root.addHeader(headers)
  root.addHeader({ From: from, To: to, ...(replyTo && { 'Reply-To': replyTo }) })
  root.addHeader({ Subject: subject, 'Message-ID': `<${messageId}>` })
  const header = `${root.buildHeaders()}\r\n`
  const boundary = `--${root.boundary}`
  const parts = [partOf('text/plain', encoded.text), partOf('text/html', encoded.html)]
  const body = `${parts.map((part) => `${boundary}\r\n${part}`).join('')}${boundary}--\r\n`
  return Buffer.from(`${signWith?.sign(header, body) ?? ''}${header}\r\n${body}`)
}
