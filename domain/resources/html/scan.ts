import type { Steps } from '../../kernel/values/turns.ts'
import { OpenElements } from './open-elements.ts'
import { isQuirky } from './quirks.ts'
import { words } from './words.ts'

/** An attribute, and where its value is, as it is written. */
export interface ScannedAttribute {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** A tag that begins an element, from `<` to behind `>`. */
export interface ScannedTag {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly isSelfClosed: boolean
  readonly attributes: readonly ScannedAttribute[]
}

/** What a scan meets, in its order. Comments, and texts of scripts and the like, are passed over. */
export interface HtmlScanner {
  /** Text as it is written, with its entities. */
  text?(from: number, to: number): void
  /** @returns whether the element says of itself that it is not shown */
  open?(tag: ScannedTag, elements: OpenElements): boolean | undefined
  /** Called before the element ends. */
  close?(name: string, from: number, to: number, elements: OpenElements): void
}

/** How HTML ends. */
export interface ScanEnd {
  /** Where the last whole text, tag or comment ends. Nothing shows what follows: a comment or tag without an end. */
  readonly whole: number
  /** What ends the script, style or title that is open; '': there is none. */
  readonly closing: string
  /** Nothing after it is read as HTML. */
  readonly isPlaintext: boolean
  readonly elements: OpenElements
}

interface ScanOptions {
  /** Whether `noscript` hides what is in it. */
  readonly isScripted?: boolean
  /** Whether it is read as pages of the nineties; default: if it says so. */
  readonly quirky?: boolean
}

/** Elements whose content is text, whatever it holds. */
const RAW = words('iframe noembed noframes script style textarea title xmp')

/** Tags or attributes that are read in one step. */
const STEP = 200
const LETTER = /[a-zA-Z]/
const TAG_NAME = /[^\t\n\f\r />]*/y
const SPACE = /[\t\n\f\r /]*/y
const ATTRIBUTE_NAME = /=?[^\t\n\f\r />=]*/y
const EQUALS = /[\t\n\f\r ]*=[\t\n\f\r ]*/y
const UNQUOTED = /[^\t\n\f\r >]*/y
const COMMENT_END = /--!?>/g
const SCRIPT = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi

const ENDS: ReadonlyMap<string, RegExp> = new Map(
  [...RAW].map((name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]),
)

/** Reads HTML as browsers do, in time in proportion to its length. */
class Scan {
  readonly #html: string
  readonly #scanner: HtmlScanner
  readonly #isScripted: boolean
  readonly #elements: OpenElements
  #at = 0
  /** Name and attributes of the tag that was read last. */
  #name = ''
  #attributes: ScannedAttribute[] = []
  #isSelfClosed = false
  #isTagCut = false

  constructor(html: string, scanner: HtmlScanner, { isScripted = false, quirky = isQuirky(html) }: ScanOptions) {
    this.#html = html
    this.#scanner = scanner
    this.#isScripted = isScripted
    this.#elements = new OpenElements(quirky)
  }

  *steps(): Steps<ScanEnd> {
    const { length } = this.#html
    let textFrom = 0
    for (let parts = 1; this.#at < length; parts++) {
      if (parts % STEP === 0) yield
      const from = this.#html.indexOf('<', this.#at)
      if (from < 0) break
      const kind = this.#kindAt(from)
      if (kind === 'text') {
        this.#at = from + 1
        continue
      }
      if (from > textFrom) this.#scanner.text?.(textFrom, from)
      if (kind !== 'comment') {
        this.#beginTag(from + (kind === 'open' ? 1 : 2))
        while (!this.#readAttributes()) yield
      }
      const ended = this.#read(kind, from)
      if (ended) return ended
      textFrom = this.#at
    }
    if (length > textFrom) this.#scanner.text?.(textFrom, length)
    return this.#end(length)
  }

  #end(whole: number, closing = '', isPlaintext = false): ScanEnd {
    return { whole, closing, isPlaintext, elements: this.#elements }
  }

  #kindAt(from: number): 'open' | 'close' | 'comment' | 'text' {
    const [first = '', second = ''] = [this.#html[from + 1], this.#html[from + 2]]
    if (LETTER.test(first)) return 'open'
    if (first === '!' || first === '?') return 'comment'
    if (first !== '/') return 'text'
    return LETTER.test(second) ? 'close' : 'comment'
  }

  /** @returns the end, where what begins here has none */
  #read(kind: 'open' | 'close' | 'comment', from: number): ScanEnd | undefined {
    if (kind === 'comment') return this.#comment(from) ? undefined : this.#end(from)
    if (this.#isTagCut) return this.#end(from)
    if (kind === 'open') return this.#opened(from)
    this.#scanner.close?.(this.#name, from, this.#at, this.#elements)
    this.#elements.close(this.#name)
    return undefined
  }

  #opened(from: number): ScanEnd | undefined {
    const name = this.#name
    const tag = { name, from, to: this.#at, isSelfClosed: this.#isSelfClosed, attributes: this.#attributes }
    const isHidden = this.#scanner.open?.(tag, this.#elements)
    if (!this.#elements.open(name, this.#isSelfClosed, isHidden)) return undefined
    if (name === 'plaintext') return this.#end(this.#html.length, '', true)
    return RAW.has(name) || (this.#isScripted && name === 'noscript') ? this.#raw(name) : undefined
  }

  /** Passes over the content of an element that is text. */
  #raw(name: string): ScanEnd | undefined {
    const end = name === 'script' ? this.#scriptEnd() : this.#rawEnd(name)
    if (end < 0) return this.#end(this.#html.length, name === 'script' ? '--></script>' : `</${name}>`)
    this.#at = end
    return undefined
  }

  #rawEnd(name: string): number {
    const end = ENDS.get(name) ?? /<\/noscript(?=[\t\n\f\r />])/gi
    end.lastIndex = this.#at
    return end.exec(this.#html)?.index ?? -1
  }

  /** A script may hold the end of another one in a comment that names its beginning. */
  #scriptEnd(): number {
    let [isEscaped, isInner] = [false, false]
    SCRIPT.lastIndex = this.#at
    for (let found = SCRIPT.exec(this.#html); found; found = SCRIPT.exec(this.#html)) {
      const [what] = found
      if (what === '<!--') {
        isEscaped = true
        SCRIPT.lastIndex = found.index + 2
      } else if (what === '-->') [isEscaped, isInner] = [false, false]
      else if (what[1] === '/') {
        if (!isInner) return found.index
        isInner = false
      } else if (isEscaped) isInner = true
    }
    return -1
  }

  #comment(from: number): boolean {
    const html = this.#html
    if (html.startsWith('<!--', from)) {
      const short = html.startsWith('>', from + 4) ? 5 : html.startsWith('->', from + 4) ? 6 : 0
      COMMENT_END.lastIndex = from + 4
      const end = short > 0 ? from + short : COMMENT_END.exec(html) ? COMMENT_END.lastIndex : -1
      if (end >= 0) this.#at = end
      return end >= 0
    }
    const isData = html.startsWith('<![CDATA[', from) && this.#elements.isForeign
    const end = isData ? html.indexOf(']]>', from) : html.indexOf('>', from)
    if (end >= 0) this.#at = end + (isData ? 3 : 1)
    return end >= 0
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#html)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #beginTag(from: number): void {
    this.#at = from
    this.#name = this.#match(TAG_NAME).toLowerCase()
    this.#attributes = []
    this.#isTagCut = false
  }

  /** Reads some of the attributes of a tag. @returns whether the tag was read to its end, or has none */
  #readAttributes(): boolean {
    const { length } = this.#html
    for (let left = STEP; left > 0; left--) {
      this.#match(SPACE)
      if (this.#at >= length) this.#isTagCut = true
      else if (this.#html[this.#at] === '>') this.#endTag()
      else if (this.#attribute()) continue
      return true
    }
    return false
  }

  #endTag(): void {
    this.#isSelfClosed = this.#html[this.#at - 1] === '/' && this.#attributes.at(-1)?.to !== this.#at
    this.#at += 1
  }

  /** @returns whether it has an end */
  #attribute(): boolean {
    const name = this.#match(ATTRIBUTE_NAME).toLowerCase()
    if (this.#match(EQUALS) === '') this.#attributes.push({ name, from: this.#at, to: this.#at })
    else if (!this.#value(name)) this.#isTagCut = true
    return !this.#isTagCut
  }

  #value(name: string): boolean {
    const quote = this.#html[this.#at]
    if (quote === '"' || quote === "'") {
      const from = this.#at + 1
      const to = this.#html.indexOf(quote, from)
      if (to < 0) return false
      this.#attributes.push({ name, from, to })
      this.#at = to + 1
      return true
    }
    const from = this.#at
    this.#match(UNQUOTED)
    this.#attributes.push({ name, from, to: this.#at })
    return this.#at < this.#html.length
  }
}

/** Scans HTML as browsers read it. */
export const scanHtml = (html: string, scanner: HtmlScanner, options: ScanOptions = {}): Steps<ScanEnd> =>
  new Scan(html, scanner, options).steps()
