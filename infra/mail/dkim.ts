import { createHash } from 'node:crypto'
import * as mimeFuncs from 'nodemailer/lib/mime-funcs'
import type { SigningKey } from '../../domain/kernel/ports/mail-transport.ts'

/** Signed headers. RFC 8058 asks for those of one-click unsubscribing. */
const SIGNED = [
  ...['from', 'sender', 'reply-to', 'subject', 'date', 'message-id', 'to', 'cc', 'mime-version'],
  ...['content-type', 'content-transfer-encoding', 'list-unsubscribe', 'list-unsubscribe-post', 'auto-submitted'],
]

const BLANKS = /[ \t]+/g

/** Returns a header in the form that relays may not change (RFC 6376, 3.4.2). */
const relaxed = (name: string, value: string): string =>
  `${name}:${value.replace(/\r\n/g, '').replace(BLANKS, ' ').trim()}`

/** Returns the hash of a body (3.4.4). Quoted-printable leaves no blanks at the ends of lines, and a multipart no empty lines at its own. */
const hashOf = (body: string): string => createHash('sha256').update(body.replace(BLANKS, ' ')).digest('base64')

const inLines = (text: string): string => text.replace(/.{72}/g, '$&\r\n ').trimEnd()

/**
 * Signs a message. @returns the header, with the end of its line
 *
 * @param header headers of the message, each ended by CRLF
 * @param body its multipart body in quoted-printable
 */
export const dkimSignature = async (header: string, body: string, key: SigningKey): Promise<string> => {
  const fields = new Map<string, string>()
  for (const field of header.split(/\r\n(?![ \t])/)) {
    const colon = field.indexOf(':')
    if (colon > 0) fields.set(field.slice(0, colon).toLowerCase(), field.slice(colon + 1))
  }
  const names = SIGNED.filter((name) => fields.has(name))
  const tags = [
    ...['v=1', 'a=rsa-sha256', 'c=relaxed/relaxed', `d=${key.domainName}`, 'q=dns/txt', `s=${key.keySelector}`],
    ...[`bh=${hashOf(body)}`, `h=${names.join(':')}`],
  ]
  const unsigned = `${mimeFuncs.foldLines(`DKIM-Signature: ${tags.join('; ')}`, 76)};\r\n b=`
  const signed = [
    ...names.map((name) => relaxed(name, fields.get(name) ?? '')),
    relaxed('dkim-signature', unsigned.slice(unsigned.indexOf(':') + 1)),
  ].join('\r\n')
  return `${unsigned}${inLines(await key.sign(signed))}\r\n`
}
