import { type Attributes, type HtmlVisitor, MOST_CHARACTERS } from './read.ts'

/** What is read of a line. */
type Read = (visitor: HtmlVisitor) => unknown

/** A line, as far as it is nothing but an address: text alone, or a link that shows where it leads. */
interface Line {
  readonly read: Read[]
  text: string
  href: string | undefined
  isPlain: boolean
}

const LINES = new Set(['p', 'li'])

/** Whether a line has more text or tags than one that is nothing but an address. */
const isTooLong = ({ text, read }: Line): boolean => text.length > MOST_CHARACTERS || read.length > MOST_CHARACTERS

/** Reads lines of paragraphs and items that are the address of a video, and nothing else, as that video. All else is read as it is. */
export class VideoLines implements HtmlVisitor {
  readonly #visitor: HtmlVisitor
  readonly #isVideo: (address: string) => boolean
  #line: Line | undefined
  /** Whether text stands in lines, also where the line that is read is not one address. */
  #isInLines = false

  constructor(visitor: HtmlVisitor, isVideo: (address: string) => boolean) {
    this.#visitor = visitor
    this.#isVideo = isVideo
  }

  text(part: string): void {
    const lines = this.#isInLines ? part.split('\n') : [part]
    for (const [n, text] of lines.entries()) {
      if (n > 0) {
        this.#endLine()
        this.#visitor.text('\n')
        this.#begin()
      }
      this.#add(text)
    }
  }

  mention(contactId: string, from: number): unknown {
    this.#endLine()
    return this.#visitor.mention(contactId, from)
  }

  video(address: string): void {
    this.#endLine()
    this.#visitor.video?.(address)
  }

  embedded(address: string): void {
    this.#endLine()
    this.#visitor.embedded?.(address)
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'a' && this.#line?.text.trim() === '' && this.#line.href === undefined) {
      this.#line.read.push((visitor) => visitor.open(name, attributes))
      this.#line.href = attributes.get('href') ?? ''
      return
    }
    if (this.#line && name !== 'br') this.#line.isPlain = false
    this.#endLine()
    this.#visitor.open(name, attributes)
    if (LINES.has(name)) this.#isInLines = true
    if (LINES.has(name) || (name === 'br' && this.#isInLines)) this.#begin()
  }

  close(name: string): void {
    if (name === 'a' && this.#line?.href !== undefined) {
      this.#keep(this.#line, (visitor) => visitor.close(name))
      return
    }
    this.#endLine()
    if (LINES.has(name)) this.#isInLines = false
    this.#visitor.close(name)
  }

  /** Ends the last line. */
  end(): void {
    this.#endLine()
  }

  #add(text: string): void {
    if (!this.#line) this.#visitor.text(text)
    else if (text !== '') {
      this.#line.text += text
      this.#keep(this.#line, (visitor) => visitor.text(text))
    }
  }

  /** Keeps what is read of a line until its end, but of a long one, which would be read at once then. */
  #keep(line: Line, read: Read): void {
    line.read.push(read)
    if (isTooLong(line)) this.#endLine()
  }

  #begin(): void {
    this.#line = { read: [], text: '', href: undefined, isPlain: true }
  }

  #endLine(): void {
    const line = this.#line
    this.#line = undefined
    if (!line) return
    const text = line.text.trim()
    const isAddress =
      line.isPlain &&
      !isTooLong(line) &&
      (line.href === undefined || line.href === text) &&
      /^https?:\/\/\S+$/i.test(text)
    if (isAddress && this.#isVideo(text)) this.#visitor.video?.(text)
    else for (const read of line.read) read(this.#visitor)
  }
}
