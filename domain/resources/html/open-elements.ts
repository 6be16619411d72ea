import {
  barrierOf,
  ENDINGS,
  type Ending,
  endsParagraph,
  HEADINGS,
  isEasilyBarred,
  isOfKind,
  ONLY_LAST,
  PARAGRAPH,
  SCOPES,
  TABLE_PARTS,
  TABLE_SCOPES,
} from './endings.ts'
import { BREAKING_OUT, FOREIGN, INTEGRATING } from './foreign.ts'
import { words } from './words.ts'

/** Elements without an end. */
const VOID = words('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr')

/** Elements that are always there, whatever a document says of them. */
const ALWAYS = words('html head body')

/** Elements that go on behind the end of what they are in, until their own end. */
const FORMATTING = words('a b big code em font i nobr s small strike strong tt u')

const CELLS = words('td th')
const ROWS = words('tr')
const SECTIONS = words('caption tbody tfoot thead')

/** Elements at whose beginning formatting from before them has no end. */
const FENCES = words('applet caption marquee object td template th')

/** Most elements that may be open in each other. */
const DEEPEST = 500
/** Most that is looked at of them. No text that anybody reads needs a tenth of it. */
const MOST_STEPS = 1_000_000

/** Elements whose content readers do not see as it is written. */
const UNREAD = words('audio canvas datalist math object select svg template video')

/**
 * Why it is not known what is open: more was open than is counted, something hidden was open that nothing ends, or ends
 * of pictures, formulas and forms are among those of others so that browsers may have ended more, or less.
 */
export type Doubt = 'depth' | 'hidden' | 'tangled'

interface OpenElement {
  readonly name: string
  readonly isHidden: boolean
  readonly language: keyof typeof INTEGRATING
}

/** Whether an element keeps ends in it from counting outside. */
const isFence = ({ name, language }: OpenElement): boolean =>
  language === 'html' ? !INTEGRATING.svg.has(name) && !INTEGRATING.math.has(name) : INTEGRATING[language].has(name)

/** What is open at a place of HTML. Where browsers differ from what is written, it has rather more than less: ends of what is not open mean nothing. */
export class OpenElements {
  /** Whether a table does not end the paragraph before it. */
  readonly #isQuirky: boolean
  readonly #stack: OpenElement[] = []
  /** How many of each name are open. */
  readonly #open = new Map<string, number>()
  /** Formatting that goes on although what it began in has ended. */
  readonly #loose = new Map<string, number>()
  #unread = 0
  #hidden = 0
  #isTooDeep = false
  #steps = 0
  #doubt: Doubt | undefined

  constructor(isQuirky: boolean) {
    this.#isQuirky = isQuirky
  }

  /** Why it is not known what is open. */
  get doubt(): Doubt | undefined {
    return this.#isTooDeep ? 'depth' : this.#doubt
  }

  /** Whether text stands in the body alone. */
  get isEmpty(): boolean {
    return this.#stack.length === 0 && [...this.#loose.values()].every((count) => count === 0)
  }

  /** Whether readers do not see text here. */
  get isUnread(): boolean {
    return this.#unread > 0
  }

  /** Whether this is a list of choices, in which browsers differ about most elements. */
  get isChoices(): boolean {
    return this.#isOpen('select')
  }

  /** Whether an element around here says that it is not shown. */
  get isHidden(): boolean {
    return this.#hidden > 0
  }

  /** Whether what is here is SVG or MathML. */
  get isForeign(): boolean {
    return this.#language !== 'html'
  }

  get #language(): keyof typeof INTEGRATING {
    const last = this.#stack.at(-1)
    return !last || isFence(last) ? 'html' : last.language
  }

  /** @returns whether the element is one of HTML */
  open(name: string, isSelfClosed: boolean, isHidden = false): boolean {
    if (this.isForeign && BREAKING_OUT.has(name)) this.#breakOut()
    const around = this.#language
    const isHtml = around === 'html'
    const isNested = name === 'form' && this.#isOpen(name)
    if (isHtml && !isNested) this.#endBeside(name)
    const isEnded = isHtml ? ALWAYS.has(name) || VOID.has(name) || (FOREIGN.has(name) && isSelfClosed) : isSelfClosed
    const isStray =
      isHtml && name !== 'table' && TABLE_PARTS.has(name) && !this.#isOpen('table') && !this.#isOpen('template')
    if (isNested && isHidden) this.#doubt ??= 'hidden'
    if (isEnded || isStray || isNested) return isHtml
    if (this.#stack.length >= DEEPEST) this.#isTooDeep = true
    if (this.#isTooDeep) return isHtml
    this.#stack.push({ name, isHidden, language: isHtml && (name === 'svg' || name === 'math') ? name : around })
    this.#count(name, isHidden, 1)
    return isHtml
  }

  close(name: string): void {
    if (this.isForeign && (name === 'p' || name === 'br')) this.#breakOut()
    if (name === 'form') {
      this.#closeForm()
      return
    }
    const isBarrier = barrierOf(name)
    let isForeign = true
    for (let at = this.#stack.length - 1; at >= 0 && this.#mayLook(); at--) {
      const one = this.#stack[at]!
      // The end of a foreign element counts only where nothing of HTML is open in it.
      isForeign &&= one.language !== 'html'
      if (isForeign ? one.name === name : one.language === 'html' && isOfKind(one.name, name)) {
        this.#popTo(at, name)
        return
      }
      if (ONLY_LAST.has(name) || (isFence(one) && isBarrier(one.name))) break
    }
    if (this.isForeign && this.#stack.some((one) => one.language === 'html' && isOfKind(one.name, name)))
      this.#doubt ??= 'tangled'
    const loose = this.#loose.get(name) ?? 0
    if (loose > 0 && !this.#stack.some((one) => FENCES.has(one.name))) this.#loose.set(name, loose - 1)
  }

  /** Ends a form, and not what is open in it. */
  #closeForm(): void {
    const at = this.#stack.findLastIndex(({ name }) => name === 'form')
    if (at < 0) return
    const inIt = this.#stack.slice(at + 1)
    if (inIt.some((one) => isFence(one) && SCOPES.has(one.name))) this.#leaveFormOpen(at)
    else if (this.#isOpen('template')) this.#popTo(at, 'form')
    else for (const { name, isHidden } of this.#stack.splice(at, 1)) this.#count(name, isHidden, -1)
  }

  /** Meets the end of a form that has no effect here. It has none later either, so that nothing ends the form any more. */
  #leaveFormOpen(at: number): void {
    if (this.#stack[at]!.isHidden) this.#doubt ??= 'hidden'
    const isHeld = this.#stack.slice(0, at).some(({ name }) => isEasilyBarred(name) && !FORMATTING.has(name))
    if (isHeld) this.#doubt ??= 'tangled'
  }

  /** Returns the ends of all that is open, after which text stands in the body alone. */
  ends(): string {
    const own = this.#stack.map(({ name }) => `</${name}>`).reverse()
    const loose = [...this.#loose].map(([name, count]) => `</${name}>`.repeat(count))
    return [...own, ...loose].join('')
  }

  /** Whether more may be looked at. Otherwise it counts as too deep. */
  #mayLook(): boolean {
    this.#steps++
    if (this.#steps > MOST_STEPS) this.#isTooDeep = true
    return !this.#isTooDeep
  }

  #count(name: string, isHidden: boolean, by: 1 | -1): void {
    this.#open.set(name, (this.#open.get(name) ?? 0) + by)
    if (UNREAD.has(name)) this.#unread += by
    if (isHidden) this.#hidden += by
  }

  /** Ends what the beginning of an element ends. */
  #endBeside(name: string): void {
    if (CELLS.has(name)) this.#endInTable(CELLS)
    else if (name === 'tr') this.#endInTable(ROWS)
    else if (SECTIONS.has(name)) this.#endInTable(SECTIONS)
    const last = this.#stack.length - 1
    const lastName = this.#stack[last]?.name ?? ''
    if (HEADINGS.has(name) ? HEADINGS.has(lastName) : name === 'option' && lastName === 'option') this.#popTo(last)
    const ending = ENDINGS.get(name)
    if (ending) this.#endKind(ending)
    if (endsParagraph(name, this.#isQuirky)) this.#endKind(PARAGRAPH)
  }

  #endKind({ kind, isBarrier }: Ending): void {
    if (![...kind].some((name) => this.#isOpen(name))) return
    for (let at = this.#stack.length - 1; at >= 0 && this.#mayLook(); at--) {
      const one = this.#stack[at]!
      if (kind.has(one.name)) {
        this.#popTo(at, one.name)
        return
      }
      if ((isFence(one) && isBarrier(one.name)) || one.language !== 'html') return
    }
  }

  #isOpen(name: string): boolean {
    return (this.#open.get(name) ?? 0) > 0
  }

  /** Ends a part of the innermost table. Outside of tables there are none. */
  #endInTable(parts: ReadonlySet<string>): void {
    let found: number | undefined
    for (let at = this.#stack.length - 1; at >= 0 && this.#mayLook(); at--) {
      const { name } = this.#stack[at]!
      if (parts.has(name)) found ??= at
      if (name === 'table' && found !== undefined) {
        this.#popTo(found)
        return
      }
      if (TABLE_SCOPES.has(name)) return
    }
  }

  #breakOut(): void {
    while (this.isForeign) this.#popTo(this.#stack.length - 1)
  }

  /** Takes away what is open from a place on. Formatting among it goes on, unless it is what ends. */
  #popTo(at: number, ended?: string): void {
    for (const [index, { name, isHidden }] of this.#stack.splice(at).entries()) {
      this.#count(name, isHidden, -1)
      if (FORMATTING.has(name) && (index > 0 || ended !== name)) this.#loose.set(name, (this.#loose.get(name) ?? 0) + 1)
    }
  }
}
