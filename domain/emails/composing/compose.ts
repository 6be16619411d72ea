import type { MailLinks } from '../../kernel/ports/mail-links.ts'
import type { ComposedMail, Mailbox } from '../../kernel/ports/mail-transport.ts'
import { escapeHtml } from '../../kernel/values/html.ts'
import { sendable } from '../../kernel/values/mailbox.ts'
import { type LiquidValue, mailLiquid, type Piece } from '../liquid/render.ts'
import { documentWith, hiddenWords, pixel } from './document.ts'
import { type FooterSettings, footerHtml, footerText } from './footer.ts'
import { leadsTo, wrapLinks } from './links.ts'
import { textOfPieces } from './text-part.ts'

/** Texts of a mail, in Liquid. */
export type MailTexts = {
  readonly subject: string
  readonly preheadline: string | null
  readonly html_body: string | null
  /** Absent: made from the HTML. */
  readonly text_body: string | null
}

/** What all recipients of a mailing have in common. */
export interface Letter {
  readonly texts: MailTexts
  readonly from: Mailbox
  readonly replyTo: Mailbox | null
  /** What marketing ends with, which can be unsubscribed from; `null`: the mail is owed. */
  readonly footer: FooterSettings | null
  readonly tracksOpens: boolean
  readonly tracksClicks: boolean
  /** Domain of the Message-ID and of the return path. */
  readonly domain: string
  readonly returnDomain: string
}

export interface Recipient {
  readonly deliveryId: number
  readonly to: Mailbox
  /** A user of the team, who has nothing to unsubscribe from. */
  readonly isUser?: boolean
  /** Values that templates may read. */
  readonly values: Readonly<Record<string, LiquidValue>>
  readonly now: number
  /** Zone of the tz database in which dates are shown. */
  readonly timeZone: string
}

/** No mail can be sent to the address. Its message holds nothing of it. */
export class AddressUnusable extends Error {}

/** Replaces what could begin another line or header. */
const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into headers
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

const shown = ({ name, address }: Mailbox): Mailbox => ({ name: oneLine(name), address })

const isBlank = (text: string | null): text is null => text === null || text.trim() === ''

/** Returns the text of a mail as its author wrote it: the one that was written as text, or that of the HTML. */
const plainText = (texts: MailTexts, html: readonly Piece[], plain: (text: string) => string): string =>
  isBlank(texts.text_body) ? textOfPieces(html) : plain(texts.text_body)

/** Returns the links of a delivery. */
const linksOf = (links: MailLinks, deliveryId: number) => ({
  unsubscribe: links.urlOf({ kind: 'unsubscribe', deliveryId }),
  preferences: links.urlOf({ kind: 'preferences', deliveryId }),
})

/**
 * Composes the mail to one recipient.
 *
 * @throws {LiquidFailed} when its texts cannot be rendered with these values
 * @throws {AddressUnusable} when its address cannot be written in ASCII
 */
export const compose = (letter: Letter, recipient: Recipient, links: MailLinks): ComposedMail => {
  const { texts, footer, from, replyTo } = letter
  const { deliveryId, to, values, now, timeZone } = recipient
  const address = sendable(to.address)
  if (address === undefined) throw new AddressUnusable('the address cannot be written in ASCII')
  const own = linksOf(links, deliveryId)
  const { htmlInPieces, plain } = mailLiquid({
    values: {
      ...values,
      ...(!recipient.isUser && { unsubscribe_url: own.unsubscribe, preferences_url: own.preferences }),
    },
    now,
    timeZone,
  })
  const pieces = isBlank(texts.html_body) ? [] : htmlInPieces(texts.html_body)
  const written = pieces.map((piece) => piece.text).join('')
  const text = plainText(texts, pieces, plain)
  const htmlFooter = footer && footerHtml(footer, leadsTo(written, own.unsubscribe) ? undefined : own)
  const textFooter = footer && footerText(footer, text.includes(own.unsubscribe) ? undefined : own)
  const preheadline = oneLine(isBlank(texts.preheadline) ? '' : plain(texts.preheadline))
  const body = documentWith(
    written === '' ? `<pre style="white-space:pre-wrap">${escapeHtml(text)}</pre>` : written,
    preheadline === '' ? '' : hiddenWords(preheadline),
    (htmlFooter ?? '') + (letter.tracksOpens ? pixel(links.urlOf({ kind: 'open', deliveryId })) : ''),
  )
  const urlOf = (url: string, number: number) => links.urlOf({ kind: 'click', deliveryId, number, url })
  return {
    messageId: links.messageId(deliveryId, letter.domain),
    from: shown(from),
    to: shown({ ...to, address }),
    replyTo: replyTo && shown(replyTo),
    subject: oneLine(plain(texts.subject)),
    html: letter.tracksClicks ? wrapLinks(body, { urlOf, isOwn: links.isOwn }) : body,
    text: textFooter === null ? `${text.trimEnd()}\n` : `${text.trimEnd()}\n\n${textFooter}\n`,
    headers: footer
      ? { 'List-Unsubscribe': `<${own.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : { 'Auto-Submitted': 'auto-generated' },
    returnPath: links.returnPath(deliveryId, letter.returnDomain),
  }
}
