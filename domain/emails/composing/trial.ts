import type { AuthoredMail, TextProblem } from '../../kernel/ports/authored-texts.ts'
import { checkLiquid } from '../liquid/parse.ts'
import { LiquidFailed, type LiquidValue } from '../liquid/render.ts'
import { compose, type Letter, type Links, type MailTexts, type Recipient } from './compose.ts'

const TEXTS = ['subject', 'preheadline', 'html_body', 'text_body'] as const

/** What is known of nobody in particular. Whatever else a text reads is absent. */
const VALUES: Readonly<Record<string, LiquidValue>> = {
  contact: {
    ...{ email_address: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', phone_number: '+12025550123' },
    ...{ time_zone: 'UTC', custom_attributes: {} },
  },
}

const RECIPIENT: Recipient = {
  ...{ deliveryId: 0, to: { name: 'Ada Lovelace', address: 'ada@example.com' }, values: VALUES },
  ...{ now: 0, timeZone: 'UTC' },
}

/** Links as long as those that lead somewhere. */
const LINKS: Links = {
  urlOf: (link) => `https://links.example/${link.kind}/${'x'.repeat(100)}`,
  isOwn: () => false,
  returnPath: () => 'returns@mail.example',
  messageId: () => 'message@mail.example',
}

const letterOf = (texts: MailTexts): Letter => ({
  texts,
  from: { name: '', address: 'from@mail.example' },
  replyTo: null,
  footer: { business: '', address: [], isSingleLine: true, alignment: 'left', words: null },
  ...{ tracksOpens: true, tracksClicks: true, domain: 'mail.example', returnDomain: 'mail.example' },
})

/**
 * Tries whether texts can be a mail at all, as marketing, whose end must be shown.
 *
 * @returns what is no Liquid, or what costs too much or hides its end even with hardly any values
 */
export const problemsIn = (mail: AuthoredMail): readonly TextProblem[] => {
  const invalid = TEXTS.flatMap((text): TextProblem[] => {
    const says = mail[text] ? checkLiquid(mail[text]) : undefined
    return says === undefined ? [] : [{ text, says }]
  })
  if (invalid.length > 0) return invalid
  const { subject, preheadline = null, html_body = null, text_body = null } = mail
  try {
    compose(letterOf({ subject: subject ?? '', preheadline, html_body, text_body }), RECIPIENT, LINKS)
    return []
  } catch (error) {
    if (!(error instanceof LiquidFailed)) throw error
    const text = TEXTS.find((name) => name === error.part)
    return error.by === 'text' && text ? [{ text, says: error.message }] : []
  }
}
