import { createTransport } from 'nodemailer'
import type { ComposedMail, SigningKey } from '../../domain/kernel/ports/mail-transport.ts'

/** Signed headers. The list of the library lacks List-Unsubscribe-Post, which RFC 8058 asks for. */
const SIGNED = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'Cc', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted'],
].join(':')

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/** Writes a mail as it is sent, signed where there is a key. */
export const writeMessage = async (mail: ComposedMail, signWith: SigningKey | undefined): Promise<Buffer> => {
  const { messageId, from, to, replyTo, subject, html, text, headers, returnPath } = mail
  const info = await composer.sendMail({
    messageId: `<${messageId}>`,
    from,
    to,
    ...(replyTo && { replyTo }),
    subject,
    html,
    text,
    headers: { ...headers },
    envelope: { from: returnPath, to: [to.address] },
    textEncoding: 'quoted-printable',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(signWith && { dkim: { ...signWith, headerFieldNames: SIGNED } }),
  })
  if (!Buffer.isBuffer(info.message)) throw new Error('the message was not written')
  return info.message
}
