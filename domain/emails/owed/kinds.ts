/** Mails that somebody is owed: they follow from what the recipient did, and obey no unsubscription. */
export const OWED_KINDS = [
  'order_confirmation',
  'order_shipped',
  'payment_failed',
  'subscription_ended',
  'download_ready',
  'opt_in_confirmation',
  'sign_in',
] as const

export type OwedKind = (typeof OWED_KINDS)[number]

export const isOwedKind = (kind: string): kind is OwedKind => OWED_KINDS.some((one) => one === kind)

/** Mails that tell contacts what is new in their courses and communities. */
export const NOTICE_KINDS = [
  'section_published',
  'community_joined',
  'community_mention',
  'community_reply',
  'community_post',
  'community_digest',
] as const

export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const isNoticeKind = (kind: string): kind is NoticeKind => NOTICE_KINDS.some((one) => one === kind)

/** Mails with a standard text, which a workspace may replace by its own, or not send. */
export const STANDARD_KINDS = [...OWED_KINDS, ...NOTICE_KINDS] as const

export type StandardKind = (typeof STANDARD_KINDS)[number]

export const isStandardKind = (kind: string): kind is StandardKind => STANDARD_KINDS.some((one) => one === kind)

/** Languages in which they are written. */
export const LOCALES = ['en', 'ja', 'pt'] as const

export type Locale = (typeof LOCALES)[number]

/** Returns a language in which they are written: the one that is named, or else English. */
export const localeIn = (named: unknown): Locale => LOCALES.find((one) => one === named) ?? 'en'

/** Texts of a mail before they are laid out. All are Liquid. */
export interface OwedText {
  readonly subject: string
  /** What mail programs show behind the subject. */
  readonly preheadline: string
  readonly heading: string
  /** Paragraphs, in their order. */
  readonly paragraphs: readonly string[]
  /** Words on the button. */
  readonly button?: string
  /** Words behind everything, in small print. */
  readonly note?: string
}

/** Words of the table of what was ordered. */
export interface TableWords {
  readonly item: string
  readonly quantity: string
  readonly amount: string
  readonly total: string
  readonly discount: string
  readonly shipping: string
  readonly tax: string
}
