import { readMail } from '../../domain/emails/composing/mail-reader.ts'

/** Returns the destinations of the links in HTML, as their author wrote them. */
export const destinationsIn = (html: string): readonly string[] => readMail(html).links.map(({ url }) => url)
