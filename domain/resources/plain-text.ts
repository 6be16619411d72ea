import { BLOCKS } from './html/elements.ts'
import { type HtmlVisitor, readHtml, readHtmlInSlices } from './html/read.ts'
import { type HtmlHooks, mentioned } from './html/safe-html.ts'

/** Writes all white space as single spaces. Most of it is so already, or ends lines. */
const inOneLine = (text: string): string =>
  text
    .split('\n')
    .join(' ')
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim()

/** Gathers the text of HTML in lines. */
class Lines implements HtmlVisitor {
  readonly #hooks: Pick<HtmlHooks, 'mention'>
  readonly #lines: string[] = []
  #parts: string[] = []

  constructor(hooks: Pick<HtmlHooks, 'mention'>) {
    this.#hooks = hooks
  }

  text(part: string): void {
    this.#parts.push(part)
  }

  mention(contactId: string): void {
    this.text(mentioned(contactId, this.#hooks))
  }

  open(name: string): void {
    if (BLOCKS.has(name)) this.#endLine()
  }

  close(name: string): void {
    if (BLOCKS.has(name)) this.#endLine()
  }

  end(): string {
    this.#endLine()
    return this.#lines.join('\n')
  }

  #endLine(): void {
    const line = inOneLine(this.#parts.join(''))
    if (line !== '') this.#lines.push(line)
    this.#parts = []
  }
}

/** Returns the text of HTML: entities are decoded once, blocks and breaks end lines, mentions are filled in, and what nobody reads is left out. */
export const plainText = (html: string, hooks: Pick<HtmlHooks, 'mention'> = {}): string => {
  const lines = new Lines(hooks)
  readHtml(html, lines)
  return lines.end()
}

/** Returns the text of HTML. What is long takes several turns of the event loop. */
export const plainTextInSlices = async (html: string, hooks: Pick<HtmlHooks, 'mention'> = {}): Promise<string> => {
  const lines = new Lines(hooks)
  await readHtmlInSlices(html, lines)
  return lines.end()
}
