import type { ComposedMail, Mailbox } from '../../kernel/ports/mail-transport.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import type { LinkKind, MailLinks } from '../links.ts'
import { type LiquidValue, mailLiquid } from '../liquid/render.ts'
import type { MailingRecord, Sender } from '../mailing/model.ts'
import { textOf, withFooter, withPixel, withPreheadline, withTextFooter } from './html.ts'
import { isWebAddress, withLinks } from './links-in-html.ts'

/** What a mail is composed of. */
export interface Composition {
  readonly mailing: MailingRecord
  readonly deliveryId: number
  /** Public id of the delivery, which the Message-ID names. */
  readonly publicId: string
  /** The recipient, opened. */
  readonly contact: Document
  readonly links: MailLinks
  /** Returns the address of a path of the public listener. */
  readonly publicUrl: (path: string) => string
  /** Domain to which reports about mails are sent. */
  readonly returnDomain: string
  readonly now: number
  readonly timeZone: string
}

/** Attributes of a contact that templates may read. */
const READABLE = [
  ...['email_address', 'first_name', 'last_name', 'phone_number', 'time_zone', 'custom_attributes'],
  ...['fb_url', 'twitter_url', 'instagram_url', 'linkedin_url', 'website_url'],
]

const readable = (value: Json | undefined): LiquidValue => {
  if (value === null || value === undefined || typeof value !== 'object') return value
  return isJsonObject(value) ? readableObject(value) : value.map(readable)
}

const readableObject = (object: JsonObject): Readonly<Record<string, LiquidValue>> =>
  Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, readable(inner)]))

const contactValues = (contact: Document): LiquidValue =>
  Object.fromEntries(READABLE.map((name) => [name, readable(contact[name] ?? null)]))

/** Returns a text that cannot begin another header. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a header
  text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()

const mailboxOf = ({ name, address }: Sender): Mailbox => ({ name: oneLine(name ?? ''), address })

const nameOf = ({ first_name: first, last_name: last }: Document): string =>
  oneLine([first, last].filter((name) => typeof name === 'string').join(' '))

/** Leads the links of marketing mail over redirects, but for those of the mail itself and what is no address of the web. */
const tracked = (html: string, { destinations }: MailingRecord, own: ReadonlySet<string>, url: UrlOf): string =>
  withLinks(html, (href) => {
    if (own.has(href) || !isWebAddress(href)) return undefined
    const destination = destinations.indexOf(href)
    return destination < 0 ? url('clickTo', { url: href }) : url('click', { destination })
  })

type UrlOf = (kind: LinkKind, more?: { readonly destination?: number; readonly url?: string }) => string

/** Composes the mail to one recipient of a mailing. @throws {LiquidFailed} when a text cannot be rendered with the values of the recipient */
export const composeMail = (composition: Composition): ComposedMail => {
  const { mailing, deliveryId, publicId, contact, links, publicUrl, returnDomain, now, timeZone } = composition
  const { content, class: of, values, sender, reply_to, domain } = mailing
  const url: UrlOf = (kind, more) => publicUrl(`/m/${links.token({ kind, deliveryId, ...more })}`)
  const unsubscribeUrl = url('unsubscribe')
  const preferencesUrl = url('preferences')
  const confirmUrl = url('confirm')
  const own = { unsubscribe_url: unsubscribeUrl, preferences_url: preferencesUrl, confirm_url: confirmUrl }
  const liquid = mailLiquid({
    values: { ...readableObject(values), contact: contactValues(contact), ...own },
    now,
    timeZone,
  })
  const isMarketing = of === 'marketing'
  const footer = { postalAddress: content.postal_address ?? '', unsubscribeUrl }
  const subject = oneLine(liquid.plain(content.subject))
  const preheadline = oneLine(liquid.plain(content.preheadline ?? ''))
  const rendered = liquid.html(content.html)
  const body = isMarketing ? withFooter(rendered, footer) : rendered
  const written = content.text === null ? textOf(body) : liquid.plain(content.text)
  const ownUrls = new Set(Object.values(own))
  const html = isMarketing ? withPixel(tracked(body, mailing, ownUrls, url), url('open')) : body
  return {
    messageId: `${publicId}@${domain}`,
    from: mailboxOf(sender),
    to: { name: nameOf(contact), address: String(contact.email_address) },
    replyTo: reply_to && mailboxOf(reply_to),
    subject,
    html: withPreheadline(html, preheadline),
    text: isMarketing ? withTextFooter(written, footer) : written,
    headers: isMarketing
      ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : { 'Auto-Submitted': 'auto-generated' },
    returnPath: `b+${links.token({ kind: 'bounce', deliveryId })}@${returnDomain}`,
  }
}
