import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import { BLOCKS } from '../../resources/html/elements.ts'
import type { OpenElements } from '../../resources/html/open-elements.ts'
import { type Places, placesIn } from '../../resources/html/places.ts'
import type { ScannedTag } from '../../resources/html/scan.ts'
import { words } from '../../resources/html/words.ts'
import type { Budget } from '../liquid/budget.ts'
import { TextWriter } from './text-writer.ts'

/** A link in HTML: its decoded destination, and where the raw one is. */
export interface FoundLink {
  readonly url: string
  readonly from: number
  readonly to: number
  /** Whether what it is in says that it is not shown. */
  readonly isHidden: boolean
  /** What is written on it. */
  readonly text: string
}

/** What is read of the HTML of a mail. */
export interface ReadMail {
  readonly places: Places
  readonly links: readonly FoundLink[]
  /** Its plain text: with the destination of every link, and each row of a table on a line. */
  readonly text: string
}

/** Work of a tag, and of an attribute, in characters. */
const TAG = 60
const ATTRIBUTE = 8

const PARAGRAPHS = words('blockquote h1 h2 h3 h4 h5 h6 ol p pre ul')

const decodedText = (raw: string): string => (raw.includes('&') ? decodeHTML(raw) : raw)

const decodedValue = (raw: string): string => (raw.includes('&') ? decodeHTMLAttribute(raw) : raw)

/** Reads the HTML of a mail once, in time in proportion to its length. */
class MailReader {
  readonly #html: string
  readonly #budget: Pick<Budget, 'use'>
  readonly #text: TextWriter
  #isUnread = false
  /** The link that is open, and what is written on it so far. */
  #link: { text: string } | undefined
  readonly links: FoundLink[] = []

  constructor(html: string, budget: Pick<Budget, 'use'>) {
    this.#html = html
    this.#budget = budget
    this.#text = new TextWriter()
  }

  text(from: number, to: number): void {
    if (this.#isUnread) return
    const text = decodedText(this.#html.slice(from, to))
    this.#text.write(text)
    if (this.#link) this.#link.text += text
  }

  open(tag: ScannedTag, elements: OpenElements): undefined {
    const { name, attributes } = tag
    this.#budget.use(TAG + ATTRIBUTE * attributes.length)
    this.#isUnread = elements.isUnread
    if (this.#isUnread) return
    const url = name === 'a' || name === 'area' ? this.#openLink(tag, elements) : undefined
    if (name === 'a') this.#text.openLink(url)
    else if (name === 'br') this.#text.breakLine()
    else if (name === 'hr') this.#text.rule()
    else if (name === 'td' || name === 'th') this.#text.cell()
    else this.#openBlock(name)
  }

  close(name: string, _from: number, _to: number, elements: OpenElements): void {
    this.#budget.use(TAG)
    this.#isUnread = elements.isUnread
    if (this.#isUnread) return
    if (name === 'a') this.#closeLink()
    else if (name === 'ul' || name === 'ol') this.#text.closeList()
    else if (name === 'blockquote') this.#text.quote(-1)
    else if (name === 'pre') this.#text.preformat(-1)
    if (BLOCKS.has(name) && name !== 'td' && name !== 'th') this.#text.block(PARAGRAPHS.has(name))
  }

  read(): string {
    return this.#text.end()
  }

  #openBlock(name: string): void {
    if (!BLOCKS.has(name)) return
    this.#text.block(PARAGRAPHS.has(name))
    if (name === 'ul' || name === 'ol') this.#text.openList(name === 'ol')
    else if (name === 'li') this.#text.item()
    else if (name === 'blockquote') this.#text.quote(1)
    else if (name === 'pre') this.#text.preformat(1)
  }

  #closeLink(): void {
    this.#text.closeLink()
    this.#link = undefined
  }

  #openLink(tag: ScannedTag, elements: OpenElements): string | undefined {
    if (tag.name === 'a') this.#link = undefined
    const href = tag.attributes.find((one) => one.name === 'href')
    if (!href) return undefined
    const url = decodedValue(this.#html.slice(href.from, href.to)).trim()
    const link = { url, from: href.from, to: href.to, isHidden: elements.isHidden, text: '' }
    this.links.push(link)
    if (tag.name === 'a') this.#link = link
    return url
  }
}

const UNCOUNTED = { use: () => undefined }

/** Reads the HTML of a mail within a budget. @throws {BudgetSpent} */
export const readMail = (html: string, budget: Pick<Budget, 'use'> = UNCOUNTED): ReadMail => {
  budget.use(html.length)
  const reader = new MailReader(html, budget)
  const places = placesIn(html, reader)
  return { places, links: reader.links, text: reader.read() }
}
