import type { MailLinks } from '../../kernel/ports/mail-links.ts'
import type { ComposedMail, Mailbox } from '../../kernel/ports/mail-transport.ts'
import { sendable } from '../../kernel/values/mailbox.ts'
import type { Budget } from '../liquid/budget.ts'
import { LiquidFailed, type LiquidValue, type MailLiquid, mailLiquid, withinBudget } from '../liquid/render.ts'
import { documentOfText, documentWith, hiddenWords, pixel } from './document.ts'
import { type FooterLinks, type FooterSettings, footerHtml, footerText } from './footer.ts'
import { leadsTo, wrapped } from './links.ts'
import { type ReadMail, readMail } from './mail-reader.ts'

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
  /** Domain of the Message-ID. */
  readonly domain: string
  /** Domain of the return path; `null`: reports about the mail go to its sender, whose domain exists. */
  readonly returnDomain: string | null
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

/** Work of a link that is made, in characters: it is signed. */
const LINK = 500

/** Links that mails are composed with. */
export type Links = Pick<MailLinks, 'urlOf' | 'isOwn' | 'returnPath' | 'messageId'>

/** Returns the links of a delivery. */
const linksOf = (links: Links, deliveryId: number) => ({
  unsubscribe: links.urlOf({ kind: 'unsubscribe', deliveryId }),
  preferences: links.urlOf({ kind: 'preferences', deliveryId }),
})

/** A mail that is being made. */
interface Making {
  readonly letter: Letter
  readonly recipient: Recipient
  readonly links: Links
  readonly liquid: MailLiquid
}

/** Makes what a text of a mail becomes. @throws {LiquidFailed} that names the text */
const ofText = <T>(part: keyof MailTexts, make: () => T): T => {
  try {
    return withinBudget(make)
  } catch (error) {
    throw error instanceof LiquidFailed ? new LiquidFailed(error.message, error.by, part) : error
  }
}

/** Reads the HTML of a mail. @throws {LiquidFailed} where nothing would be shown at its end */
const readShowable = (html: string, budget: Budget): ReadMail => {
  const read = readMail(html, budget)
  const { unshowable } = read.places
  if (unshowable) throw new LiquidFailed(`Its end would not be shown: ${unshowable}`, 'text')
  return read
}

/** Makes the parts of a mail, with what belongs into them, within the budget of its Liquid. */
const bodyOf = ({ letter, recipient: { deliveryId }, links, liquid }: Making, own: FooterLinks) => {
  const { texts, footer, tracksOpens, tracksClicks } = letter
  const { html, plain, budget } = liquid
  const { html_body, text_body, preheadline } = texts
  const written = isBlank(html_body) ? '' : ofText('html_body', () => html(html_body))
  const read = ofText('html_body', () => readShowable(written, budget))
  const text = isBlank(text_body) ? read.text : ofText('text_body', () => plain(text_body))
  const htmlFooter = footer && footerHtml(footer, leadsTo(read.links, own.unsubscribe) ? undefined : own)
  const textFooter = footer && footerText(footer, text.includes(own.unsubscribe) ? undefined : own)
  const words = oneLine(isBlank(preheadline) ? '' : ofText('preheadline', () => plain(preheadline)))
  const urlOf = (url: string, number: number) => {
    budget.use(LINK + url.length)
    return links.urlOf({ kind: 'click', deliveryId, number, url })
  }
  const parts = {
    first: words === '' ? '' : hiddenWords(words),
    last: (htmlFooter ?? '') + (tracksOpens ? pixel(links.urlOf({ kind: 'open', deliveryId })) : ''),
  }
  const made = {
    replacements: tracksClicks ? ofText('html_body', () => wrapped(read.links, { urlOf, isOwn: links.isOwn })) : [],
    places: read.places,
    ...parts,
  }
  return {
    html: written === '' ? documentOfText(text, parts) : documentWith(written, made),
    text: textFooter === null ? `${text.trimEnd()}\n` : `${text.trimEnd()}\n\n${textFooter}\n`,
  }
}

/**
 * Composes the mail to one recipient. All that it is made of is counted in one budget.
 *
 * @throws {LiquidFailed} when it cannot be rendered with these values, or nothing would be shown at its end
 * @throws {AddressUnusable} when its address is none
 */
export const compose = (letter: Letter, recipient: Recipient, links: Links): ComposedMail => {
  const { texts, footer, from, replyTo, returnDomain } = letter
  const { deliveryId, to, values, now, timeZone } = recipient
  const address = sendable(to.address)
  if (address === undefined) throw new AddressUnusable('nothing can be sent to the address')
  const own = linksOf(links, deliveryId)
  const liquid = mailLiquid({
    values: {
      ...values,
      ...(!recipient.isUser && { unsubscribe_url: own.unsubscribe, preferences_url: own.preferences }),
    },
    now,
    timeZone,
  })
  return {
    messageId: links.messageId(deliveryId, letter.domain),
    from: shown(from),
    to: shown({ ...to, address }),
    replyTo: replyTo && shown(replyTo),
    ...bodyOf({ letter, recipient, links, liquid }, own),
    subject: oneLine(ofText('subject', () => liquid.plain(texts.subject))),
    headers: footer
      ? { 'List-Unsubscribe': `<${own.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : { 'Auto-Submitted': 'auto-generated' },
    returnPath: returnDomain === null ? from.address : links.returnPath(deliveryId, returnDomain),
  }
}
