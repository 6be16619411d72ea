const SPACES = /[ \t\r\n\f\u200b]+/g

/** Empty lines in a row. */
const MOST_BREAKS = 3

/** Longest mark of a line that is no longer than the tag that it stands for. */
const SHORT_MARK = 3
/** Characters of the other marks. */
const MARKS = 2000

interface OpenList {
  readonly isOrdered: boolean
  items: number
}

/** Lists in each other whose items are told apart. */
const MOST_LISTS = 50

interface OpenLink {
  readonly shown: string
  /** What is written in it, as far as it may be the same. */
  text: string
}

/** Returns the words of a destination; `undefined`: it is a place in the mail itself. */
const shownOf = (url: string | undefined): string | undefined =>
  url === undefined || url === '' || url.startsWith('#') ? undefined : url.replace(/^mailto:/i, '')

/**
 * Writes plain text as HTML shows it, in lines. It keeps no tree and adds next to nothing, so that the text is no longer than the HTML. A table becomes the lines of its
 * rows: a grid could be of any size.
 */
export class TextWriter {
  readonly #pieces: string[] = []
  #breaks = 0
  #isSpaced = false
  #isCell = false
  #isEmpty = true
  /** Whether something stands in the line. */
  #isBegun = false
  #mark = ''
  #marked = 0
  #preformatted = 0
  #quoted = 0
  #lists: OpenList[] = []
  #link: OpenLink | undefined

  /** Writes text. White space is one space, unless it is preformatted. */
  write(text: string): void {
    if (this.#preformatted > 0) {
      this.#lines(text)
      return
    }
    const words = text.replace(SPACES, ' ')
    if (words === '' || words === ' ') {
      this.#isSpaced ||= words === ' '
      return
    }
    if (words.startsWith(' ')) this.#isSpaced = true
    this.#put(words.trim())
    this.#isSpaced = words.endsWith(' ')
  }

  breakLine(): void {
    this.#isSpaced = false
    this.#breaks = Math.min(MOST_BREAKS, this.#breaks + 1)
  }

  /** Begins or ends what stands on lines of its own. @param isApart whether an empty line is before and after it */
  block(isApart: boolean): void {
    this.#isSpaced = false
    this.#isCell = false
    this.#breaks = Math.max(this.#breaks, isApart ? 2 : 1)
  }

  cell(): void {
    this.#isCell = true
  }

  rule(): void {
    this.block(false)
    this.#put('---')
    this.block(false)
  }

  openList(isOrdered: boolean): void {
    if (this.#lists.length < MOST_LISTS) this.#lists.push({ isOrdered, items: 0 })
  }

  closeList(): void {
    this.#lists.pop()
  }

  /** Begins an item of a list. */
  item(): void {
    const list = this.#lists.at(-1)
    if (list) list.items++
    this.#mark = list?.isOrdered ? `${list.items}. ` : '* '
  }

  quote(by: 1 | -1): void {
    this.#quoted = Math.max(0, this.#quoted + by)
  }

  preformat(by: 1 | -1): void {
    this.#preformatted = Math.max(0, this.#preformatted + by)
  }

  openLink(url: string | undefined): void {
    this.closeLink()
    const shown = shownOf(url)
    if (shown !== undefined) this.#link = { shown, text: '' }
  }

  /** Writes where a link leads, unless its words say so. */
  closeLink(): void {
    const link = this.#link
    this.#link = undefined
    if (!link || link.text.trim() === link.shown) return
    if (link.text !== '') this.#isSpaced = true
    this.#put(`<${link.shown}>`)
    this.#isSpaced = false
  }

  end(): string {
    this.closeLink()
    return this.#pieces.join('')
  }

  #lines(text: string): void {
    for (const [index, line] of text.split(/\r\n|[\r\n]/).entries()) {
      if (index > 0) this.breakLine()
      if (line !== '') this.#put(line)
    }
  }

  #put(words: string): void {
    if (this.#breaks > 0) this.#beginLine()
    else if (this.#isBegun && this.#isCell) this.#pieces.push('  ')
    else if (this.#isBegun && this.#isSpaced) this.#pieces.push(' ')
    if (this.#link && this.#link.text.length <= this.#link.shown.length)
      this.#link.text += (this.#isSpaced ? ' ' : '') + words
    const marks = this.#isBegun ? '' : this.#marks()
    this.#isSpaced = false
    this.#isCell = false
    this.#isBegun = true
    this.#isEmpty = false
    this.#pieces.push(marks + words)
  }

  #beginLine(): void {
    if (!this.#isEmpty) this.#pieces.push('\n'.repeat(this.#breaks))
    this.#breaks = 0
    this.#isBegun = false
  }

  /** Returns what stands before a line, as long as there is room for it. */
  #marks(): string {
    const marks = (this.#quoted > 0 ? '> ' : '') + this.#mark
    this.#mark = ''
    if (marks.length <= SHORT_MARK && this.#preformatted === 0) return marks
    this.#marked += marks.length
    return this.#marked > MARKS ? '' : marks
  }
}
