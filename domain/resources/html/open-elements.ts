import { BREAKING_OUT, FOREIGN, INTEGRATING } from './foreign.ts'
import { words } from './words.ts'

/** Elements without an end. */
const VOID = words('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr')

/** Elements that are always there, whatever a document says of them. */
const ALWAYS = words('html head body')

/** Elements that go on behind the end of what they are in, until their own end. */
const FORMATTING = words('a b big code em font i nobr s small strike strong tt u')

/** Elements beyond which the end of an ordinary one has no meaning. */
const SPECIAL = words(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp foreignobject desc mi mo mn ms mtext annotation-xml',
)

/** Elements whose end counts although others are open in them. */
const BLOCK = words(
  'address applet article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main marquee menu nav object ol pre search section summary template ul',
)

/** Elements beyond which the end of a block has no meaning. */
const BLOCK_UNTIL = words(
  'applet caption html marquee object select table td template th foreignobject desc title mi mo mn ms mtext annotation-xml',
)
const TABLE_PARTS = words('caption col colgroup table tbody td tfoot th thead tr')
const TABLE_UNTIL = words('html table template')

/** Elements whose end counts only where nothing but such as these is open in them: they may have ended without one. */
const UNSURE = words('button dd dt h1 h2 h3 h4 h5 h6 li optgroup option p rb rp rt rtc select')
const HEADINGS = words('h1 h2 h3 h4 h5 h6')
const ONLY_LAST = words('form optgroup option rb rp rt rtc')

/** What a beginning ends: one of a kind that is open beside it, with nothing special but these in it. */
interface Ending {
  readonly kind: ReadonlySet<string>
  readonly through: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
const IN_LISTS = words('address div p')
const DEFINITIONS = words('dd dt')
const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ['a', { kind: words('a'), through: NONE }],
  ['li', { kind: words('li'), through: IN_LISTS }],
  ['dd', { kind: DEFINITIONS, through: IN_LISTS }],
  ['dt', { kind: DEFINITIONS, through: IN_LISTS }],
])
const PARAGRAPH: Ending = { kind: words('p'), through: NONE }
/** Elements of `BLOCK` that end no paragraph, and others that end one. */
const OBJECTS = words('applet marquee object template')
const AFTER_PARAGRAPHS = words('dd dt form h1 h2 h3 h4 h5 h6 hr li p plaintext table xmp')
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
  readonly #stack: OpenElement[] = []
  /** Formatting that goes on although what it began in has ended. */
  readonly #loose = new Map<string, number>()
  #unread = 0
  #hidden = 0
  #choices = 0
  #tables = 0
  #isTooDeep = false
  #steps = 0
  #isStuck = false

  /** Whether more was open than is counted. */
  get isTooDeep(): boolean {
    return this.#isTooDeep
  }

  /** Whether something hidden was open that nothing ends. */
  get isStuck(): boolean {
    return this.#isStuck
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
    return this.#choices > 0
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
    if (isHtml) this.#endBeside(name)
    const isEnded = isHtml ? ALWAYS.has(name) || VOID.has(name) || (FOREIGN.has(name) && isSelfClosed) : isSelfClosed
    const isStray = isHtml && this.#tables === 0 && name !== 'table' && TABLE_PARTS.has(name)
    const isNested = name === 'form' && this.#stack.some((one) => one.name === name)
    if (isNested) this.#isStuck ||= isHidden
    if (isEnded || isStray || isNested) return isHtml
    if (this.#stack.length >= DEEPEST) this.#isTooDeep = true
    if (this.#isTooDeep) return isHtml
    this.#stack.push({ name, isHidden, language: isHtml && (name === 'svg' || name === 'math') ? name : around })
    this.#count(name, isHidden, 1)
    return isHtml
  }

  close(name: string): void {
    if (this.isForeign && (name === 'p' || name === 'br')) this.#breakOut()
    const until = this.#untilOf(name)
    for (let at = this.#stack.length - 1; at >= 0 && this.#mayLook(); at--) {
      const one = this.#stack[at]!
      if (one.name === name) {
        this.#popTo(at, name)
        return
      }
      if (isFence(one) && until(one.name)) break
    }
    // Such an end takes effect later in no browser, so that nothing ends it any more.
    if (name === 'form') this.#isStuck ||= this.#stack.some((one) => one.name === name && one.isHidden)
    const loose = this.#loose.get(name) ?? 0
    if (loose > 0 && !this.#stack.some((one) => FENCES.has(one.name))) this.#loose.set(name, loose - 1)
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
    if (UNREAD.has(name)) this.#unread += by
    if (name === 'select') this.#choices += by
    if (name === 'table' || name === 'template') this.#tables += by
    if (isHidden) this.#hidden += by
  }

  /** Returns which elements keep the end of one from counting. */
  #untilOf(name: string): (name: string) => boolean {
    if (ONLY_LAST.has(name)) return () => true
    if (TABLE_PARTS.has(name))
      return (one) => SPECIAL.has(one) && one !== 'p' && (one === 'table' || !TABLE_PARTS.has(one))
    if (UNSURE.has(name)) return (one) => SPECIAL.has(one) && one !== 'p'
    if (BLOCK.has(name)) return (one) => BLOCK_UNTIL.has(one)
    return (one) => SPECIAL.has(one)
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
    if ((BLOCK.has(name) && !OBJECTS.has(name)) || AFTER_PARAGRAPHS.has(name)) this.#endKind(PARAGRAPH)
  }

  #endKind({ kind, through }: Ending): void {
    for (let at = this.#stack.length - 1; at >= 0 && this.#mayLook(); at--) {
      const one = this.#stack[at]!
      if (kind.has(one.name)) {
        this.#popTo(at, one.name)
        return
      }
      if ((isFence(one) && SPECIAL.has(one.name) && !through.has(one.name)) || one.language !== 'html') return
    }
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
      if (TABLE_UNTIL.has(name)) return
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
