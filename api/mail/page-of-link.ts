import type { Control } from './page.ts'
import type { FoundMail } from './recipients.ts'
import type { MailWords } from './words.ts'

/** One page of a link, before it is in a language. */
export interface Shown {
  readonly status?: number
  readonly title: string
  readonly sentences: readonly string[]
  readonly controls?: readonly Control[]
}

/** What a page says and does, by the kind of its link. */
export interface PageOfLink {
  /** What its form says that it asks for. Another body changes nothing. */
  readonly act: string
  show(mail: FoundMail, words: MailWords): Promise<Shown> | Shown
  /** Carries out what the form of the page asks for. @returns the page that follows */
  take(mail: FoundMail, sent: URLSearchParams, words: MailWords): Promise<Shown>
}
