import { Tokenizer } from 'htmlparser2'
import { timeSlices } from '../../kernel/values/turns.ts'
import { SELF_CLOSING, UNREAD } from './elements.ts'

/** Longest value of an attribute that is read, in characters. What is longer is cut. */
export const MOST_CHARACTERS = 4000

/** Characters that are read between two looks at the clock. */
const CHUNK = 8192

const ATTRIBUTES: ReadonlySet<string> = new Set(
  'alt colspan data-mention datetime dir height href lang reversed rowspan src start title value width'.split(' '),
)

export type Attributes = ReadonlyMap<string, string>

/** Returns whether an element stands for somebody who is mentioned in it. */
const isMention = (name: string, attributes: Attributes): boolean =>
  (name === 'span' || name === 'a') && attributes.has('data-mention')

/** Receives what readers see of HTML, in its order. Content that nobody reads, such as that of scripts, is left out. */
export interface HtmlVisitor {
  /** @param part decoded text */
  text(part: string): void
  /** Somebody is mentioned. @param contactId as the author's editor wrote it @param from where the element begins */
  mention(contactId: string, from: number): unknown
  /** The element of a mention ends, or the HTML does. @param to where that is */
  mentionEnd?(to: number): void
  /** A video is embedded, which has no content to read. */
  video?(address: string): void
  /** The page of another host is embedded. */
  embedded?(address: string): void
  open(name: string, attributes: Attributes): void
  close(name: string): void
}

/** Calls a visitor for the tokens of HTML. No tree is made of it, so it takes time in proportion to the length, whatever the HTML contains. */
class Reader {
  readonly #html: string
  readonly #visitor: HtmlVisitor
  /** Element whose content is left out, and how many of its name are open in each other. */
  #skipped = ''
  #depth = 0
  #isInMention = false
  /** Whether the video that is being read has told where it is. */
  #hasVideo = false
  #tagFrom = 0
  #textFrom = 0
  #textTo = 0
  #name = ''
  #attribute = ''
  #value = ''
  #attributes = new Map<string, string>()

  constructor(html: string, visitor: HtmlVisitor) {
    this.#html = html
    this.#visitor = visitor
  }

  /** Text comes in many pieces, which are joined as long as they follow each other. */
  text(from: number, to: number): void {
    if (this.#depth > 0) return
    if (from !== this.#textTo) {
      this.endText()
      this.#textFrom = from
    }
    this.#textTo = to
  }

  textEntity(codePoint: number): void {
    if (this.#depth > 0) return
    this.endText()
    this.#visitor.text(String.fromCodePoint(codePoint))
  }

  openName(from: number, to: number): void {
    this.#tagFrom = from - 1
    this.#name = this.#nameIn(from, to)
    if (this.#attributes.size > 0) this.#attributes = new Map()
  }

  attributeName(from: number, to: number): void {
    const name = this.#nameIn(from, to)
    this.#attribute = ATTRIBUTES.has(name) && !this.#attributes.has(name) ? name : ''
    this.#value = ''
  }

  attributeData(from: number, to: number): void {
    const missing = MOST_CHARACTERS + 1 - this.#value.length
    if (this.#attribute !== '') this.#value += this.#html.slice(from, Math.min(to, from + missing))
  }

  attributeEntity(codePoint: number): void {
    if (this.#value.length <= MOST_CHARACTERS) this.#value += String.fromCodePoint(codePoint)
  }

  attributeEnd(): void {
    if (this.#attribute !== '') this.#attributes.set(this.#attribute, this.#value)
    this.#attribute = ''
  }

  openEnd(isSelfClosed: boolean): void {
    this.endText()
    const name = this.#name
    const isClosed = isSelfClosed && (SELF_CLOSING.has(name) || (name === 'video' && this.#visitor.video !== undefined))
    if (this.#depth > 0) {
      if (name === this.#skipped && !isClosed) this.#depth++
      if (name === 'source' && this.#skipped === 'video') this.#video()
    } else if (UNREAD.has(name)) {
      this.#hasVideo = false
      if (name === 'video') this.#video()
      if (name === 'iframe') this.#visitor.embedded?.(this.#attributes.get('src') ?? '')
      if (!isClosed) this.#skip(name)
    } else if (isMention(name, this.#attributes)) {
      this.#visitor.mention(this.#attributes.get('data-mention') ?? '', this.#tagFrom)
      this.#isInMention = true
      this.#skip(name)
    } else this.#visitor.open(name, this.#attributes)
  }

  close(from: number, to: number): void {
    this.endText()
    const name = this.#nameIn(from, to)
    if (this.#depth === 0) this.#visitor.close(name)
    else if (name === this.#skipped && --this.#depth === 0) this.#endMention(this.#html.indexOf('>', to) + 1)
  }

  /** Ends what is open where the HTML ends. */
  end(): void {
    this.endText()
    if (this.#depth > 0) this.#endMention(this.#html.length)
  }

  /** Hands over the text that was read last. */
  endText(): void {
    if (this.#textTo > this.#textFrom) this.#visitor.text(this.#html.slice(this.#textFrom, this.#textTo))
    this.#textFrom = this.#textTo
  }

  #endMention(to: number): void {
    if (this.#isInMention) this.#visitor.mentionEnd?.(to === 0 ? this.#html.length : to)
    this.#isInMention = false
  }

  /** Tells of a video once: where its element says, or else the first of its sources. */
  #video(): void {
    const address = this.#attributes.get('src')
    if (address === undefined || this.#hasVideo) return
    this.#hasVideo = true
    this.#visitor.video?.(address)
  }

  #skip(name: string): void {
    this.#skipped = name
    this.#depth = 1
  }

  #nameIn(from: number, to: number): string {
    return this.#html.slice(from, to).toLowerCase()
  }
}

const ignore = () => undefined

/** Returns what reads the next part of HTML. It is called once for each, in their order. */
const readerOf = (html: string, visitor: HtmlVisitor) => {
  const reader = new Reader(html, visitor)
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (from, to) => reader.text(from, to),
      ontextentity: (codePoint) => reader.textEntity(codePoint),
      onopentagname: (from, to) => reader.openName(from, to),
      onattribname: (from, to) => reader.attributeName(from, to),
      onattribdata: (from, to) => reader.attributeData(from, to),
      onattribentity: (codePoint) => reader.attributeEntity(codePoint),
      onattribend: () => reader.attributeEnd(),
      onopentagend: () => reader.openEnd(false),
      onselfclosingtag: () => reader.openEnd(true),
      onclosetag: (from, to) => reader.close(from, to),
      ...{ oncdata: ignore, oncomment: ignore, ondeclaration: ignore, onend: ignore, onprocessinginstruction: ignore },
    },
  )
  return {
    read(part: string): void {
      tokenizer.write(part)
      reader.endText()
    },
    end(): void {
      tokenizer.end()
      reader.end()
    },
  }
}

const partsOf = function* (html: string): Generator<string> {
  for (let at = 0; at < html.length; at += CHUNK) yield html.slice(at, at + CHUNK)
}

/** Reads HTML at once. */
export const readHtml = (html: string, visitor: HtmlVisitor): void => {
  const reader = readerOf(html, visitor)
  for (const part of partsOf(html)) reader.read(part)
  reader.end()
}

/** Reads HTML in slices, between which others get their turn. */
export const readHtmlInSlices = async (html: string, visitor: HtmlVisitor): Promise<void> => {
  const pause = timeSlices()
  const reader = readerOf(html, visitor)
  for (const part of partsOf(html)) {
    reader.read(part)
    const turn = pause()
    if (turn) await turn
  }
  reader.end()
}
