import * as qp from 'nodemailer/lib/qp'
import type { ComposedMail } from '../../domain/kernel/ports/mail-transport.ts'

/** Returns a body in quoted-printable. The library writes whole bodies by streams alone, which takes three times as long. */
const quotedPrintable = (text: string): string => qp.wrap(qp.encode(text.replace(/\r\n?|\n/g, '\r\n')))

/** Returns the parts of a mail as they are sent. */
export const encodedParts = ({ text, html }: Pick<ComposedMail, 'text' | 'html'>): ComposedMail['encoded'] & {} => ({
  text: quotedPrintable(text),
  html: quotedPrintable(html),
})
