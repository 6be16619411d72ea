import { escapeHtml } from '../../kernel/values/html.ts'

/** Who sends, as the law wants it at the end of marketing mail. */
export type FooterSettings = {
  readonly business: string
  /** Lines of the postal address. */
  readonly address: readonly string[]
  readonly isSingleLine: boolean
  readonly alignment: 'left' | 'center' | 'right'
  /** Words of the workspace before the link to unsubscribe. */
  readonly words: string | null
}

export interface FooterLinks {
  readonly unsubscribe: string
  readonly preferences: string
}

const UNSUBSCRIBE = 'Unsubscribe'
const PREFERENCES = 'Manage preferences'

const addressOf = ({ address, isSingleLine }: FooterSettings, lineBreak: string, shown: (line: string) => string) =>
  address.map(shown).join(isSingleLine ? ', ' : lineBreak)

/** Returns the footer of HTML. @param links absent: the text has its own link to unsubscribe */
export const footerHtml = (settings: FooterSettings, links: FooterLinks | undefined): string => {
  const { business, alignment, words } = settings
  const parts = [
    ...(links && words ? [escapeHtml(words)] : []),
    ...(links
      ? [
          `<a href="${escapeHtml(links.unsubscribe)}">${UNSUBSCRIBE}</a> · <a href="${escapeHtml(links.preferences)}">${PREFERENCES}</a>`,
        ]
      : []),
    [escapeHtml(business), addressOf(settings, '<br>', escapeHtml)].join(settings.isSingleLine ? ', ' : '<br>'),
  ]
  const style = `color:#6b6b6b;font-family:Helvetica,Arial,sans-serif;font-size:12px;line-height:1.5;padding:24px;text-align:${alignment}`
  return `<div style="${style}">${parts.map((part) => `<p>${part}</p>`).join('')}</div>`
}

/** Returns the footer of plain text. @param links absent: the text has its own link to unsubscribe */
export const footerText = (settings: FooterSettings, links: FooterLinks | undefined): string =>
  [
    '-- ',
    ...(links && settings.words ? [settings.words] : []),
    ...(links ? [`${UNSUBSCRIBE}: ${links.unsubscribe}`, `${PREFERENCES}: ${links.preferences}`] : []),
    [settings.business, addressOf(settings, '\n', (line) => line)].join(settings.isSingleLine ? ', ' : '\n'),
  ].join('\n')
