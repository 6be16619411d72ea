import PostalMime, { type Attachment, type Email } from 'postal-mime'
import type { MailReport, RecipientReport } from '../../domain/kernel/ports/mail-reports.ts'

const BOUNDS = { maxNestingDepth: 10, maxHeadersSize: 128 * 1024 } as const

const DELIVERY_STATUS = ['message/delivery-status', 'message/global-delivery-status']
const FEEDBACK = 'message/feedback-report'
const REPORTED = ['message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers']

/** Groups of fields in one report: one for the report itself, and one for each recipient. */
const MOST_GROUPS = 100

const STATUS = /^\s*([245]\.\d{1,3}\.\d{1,3})\b/
/** An enhanced status behind the reply code: `smtp; 550 5.1.1 No such user`. */
const STATUS_IN_REPLY = /(?:^|[\s;-])[245]\d\d[\s-]+([245]\.\d{1,3}\.\d{1,3})\b/

/** Statuses that say no more than that a mail failed. Some servers (Exim) give these alone. */
const VAGUE = /^[245]\.0\.0$/
const NONE: MailReport = { kind: 'none' }

type Fields = ReadonlyMap<string, string>

const parse = (mail: Buffer | string): Promise<Email> =>
  PostalMime.parse(mail, { ...BOUNDS, forceRfc822Attachments: true, attachmentEncoding: 'utf8' })

const textOf = ({ content }: Attachment): string => (typeof content === 'string' ? content : '')

/** Reads a group of fields, which is written as headers are. */
const fieldsIn = async (group: string): Promise<Fields> => {
  const { headers } = await parse(`${group.trim()}\r\n\r\n`)
  return new Map(headers.map(({ key, value }) => [key, value.trim()]))
}

/** Returns the enhanced status of a recipient: what the answer of the server says is more exact than a vague one. */
const statusIn = (fields: Fields, diagnostic: string): string | null => {
  const own = STATUS.exec(fields.get('status') ?? '')?.[1]
  if (own !== undefined && !VAGUE.test(own)) return own
  return STATUS_IN_REPLY.exec(diagnostic)?.[1] ?? own ?? null
}

/** An address with its type: `rfc822; jane@shop.example`. */
const TYPED = /^\s*(?:[\w-]+\s*;)?\s*<?([^<>\s]+@[^<>\s]+?)>?\s*$/

/** A letter beyond ASCII in an address of the type `utf-8` that is written in ASCII (RFC 6533). */
const ESCAPED = /\\x\{((?:10|[\dA-F])?[\dA-F]{1,4})\}/gi

const addressesIn = (fields: Fields): readonly string[] =>
  ['final-recipient', 'original-recipient'].flatMap((name) => {
    const address = TYPED.exec(fields.get(name) ?? '')?.[1]
    return address?.replace(ESCAPED, (_, point) => String.fromCodePoint(Number.parseInt(point, 16))) ?? []
  })

const recipientIn = (fields: Fields): RecipientReport | undefined => {
  const action = fields.get('action')?.toLowerCase()
  if (action === undefined) return undefined
  const diagnostic = fields.get('diagnostic-code') ?? null
  const status = statusIn(fields, diagnostic ?? '')
  return { addresses: addressesIn(fields), action: action.replace(/[^a-z].*$/, ''), status, diagnostic }
}

const deliveryReport = async (part: Attachment): Promise<MailReport> => {
  const groups = textOf(part)
    .split(/\r?\n[ \t]*\r?\n/)
    .filter((group) => group.trim() !== '')
  const fields = await Promise.all(groups.slice(0, MOST_GROUPS).map(fieldsIn))
  return { kind: 'delivery', recipients: fields.flatMap((one) => recipientIn(one) ?? []) }
}

const messageIdIn = async (part: Attachment): Promise<readonly string[]> => {
  const { messageId } = await parse(textOf(part))
  const id = /^<?([^<>\s]+)>?$/.exec(messageId?.trim() ?? '')?.[1]
  return id === undefined ? [] : [id]
}

const complaint = async (part: Attachment, attachments: readonly Attachment[]): Promise<MailReport> => {
  const type = (await fieldsIn(textOf(part))).get('feedback-type')?.toLowerCase()
  const reported = attachments.filter(({ mimeType }) => REPORTED.includes(mimeType))
  const messageIds = (await Promise.all(reported.map(messageIdIn))).flat()
  return type === undefined ? NONE : { kind: 'complaint', type, messageIds }
}

/** Reads what a mail reports. A mail that is no report, or cannot be read, reports nothing. */
export const readReport = async (mail: Buffer): Promise<MailReport> => {
  try {
    const { attachments } = await parse(mail)
    const feedback = attachments.find(({ mimeType }) => mimeType === FEEDBACK)
    if (feedback) return await complaint(feedback, attachments)
    const status = attachments.find(({ mimeType }) => DELIVERY_STATUS.includes(mimeType))
    return status ? await deliveryReport(status) : NONE
  } catch {
    // Beyond the bounds, or nonsense.
    return NONE
  }
}
