import { escapeHtml } from '../../domain/kernel/values/html.ts'

/** HTML that may be shown as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a template takes. `undefined`, `null` and `false` are nothing. */
export type Part = Html | string | number | undefined | null | false | readonly Part[]

/** Adding texts copies none of them, however many templates are in each other. */
const joined = (texts: readonly string[]): string => texts.reduce((all, text) => all + text, '')

const shown = (part: Part): string => {
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return joined(part.map(shown))
}

/** Makes HTML of a template. Every text in it is escaped, so that only what is `Html` already stays as it is. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(joined(strings.map((text, index) => text + shown(parts[index]))))
