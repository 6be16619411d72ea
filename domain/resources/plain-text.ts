import { Tokenizer } from 'htmlparser2'

/** Elements that stand on lines of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
)

/** Elements whose content nobody reads. */
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'textarea', 'title', 'head'])

const ignore = () => undefined

/** Gathers the text of HTML in lines. */
class Lines {
  readonly #lines: string[] = []
  #parts: string[] = []
  /** Elements which are open and whose content nobody reads. */
  #unread = 0

  text(part: string): void {
    if (this.#unread === 0) this.#parts.push(part)
  }

  open(name: string): void {
    if (UNREAD.has(name)) this.#unread++
    if (BLOCKS.has(name)) this.#endLine()
  }

  close(name: string): void {
    if (UNREAD.has(name)) this.#unread = Math.max(0, this.#unread - 1)
    if (BLOCKS.has(name)) this.#endLine()
  }

  end(): string {
    this.#unread = 0
    this.#endLine()
    return this.#lines.join('\n')
  }

  #endLine(): void {
    if (this.#unread > 0) return
    const line = this.#parts.join('').replace(/\s+/g, ' ').trim()
    if (line !== '') this.#lines.push(line)
    this.#parts = []
  }
}

/**
 * Returns the text of HTML: entities are decoded once, blocks and breaks end lines, and what nobody reads is left out. It takes time in proportion to the
 * length, whatever the HTML contains: no tree is made of it.
 */
export const plainText = (html: string): string => {
  const lines = new Lines()
  const nameIn = (from: number, to: number) => html.slice(from, to).toLowerCase()
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (from, to) => lines.text(html.slice(from, to)),
      ontextentity: (codePoint) => lines.text(String.fromCodePoint(codePoint)),
      onopentagname: (from, to) => lines.open(nameIn(from, to)),
      onclosetag: (from, to) => lines.close(nameIn(from, to)),
      onattribdata: ignore,
      onattribend: ignore,
      onattribentity: ignore,
      onattribname: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return lines.end()
}
