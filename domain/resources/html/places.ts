import { atOnce, inSlices, type Steps } from '../../kernel/values/turns.ts'
import type { Doubt, OpenElements } from './open-elements.ts'
import { isQuirky } from './quirks.ts'
import { type HtmlScanner, type ScanEnd, type ScannedTag, scanHtml } from './scan.ts'
import { words } from './words.ts'

/** Why nothing that is put at the end of HTML would be shown. */
export type Unshowable = 'plaintext' | 'frames' | 'select' | 'annotation' | 'noscript' | Doubt

/** Where things are put into HTML so that they are shown, whatever its comments, styles and values hold. */
export interface Places {
  /** Whether it is a document, and not a part of one. */
  readonly isDocument: boolean
  /** Where the head ends. */
  readonly headEnd: number
  /** Where what is shown begins. */
  readonly bodyStart: number
  /** Where what is shown ends. */
  readonly bodyEnd: number
  /** Ends of all that is open where what is shown ends. */
  readonly ends: string
  /** Where all ends but a comment or a tag without an end, which nobody sees. */
  readonly whole: number
  readonly unshowable: Unshowable | undefined
}

/** Elements that may stand before the body begins. */
const OF_HEAD = words('base basefont bgsound head html link meta noframes noscript script style template title')

/** Elements that what is for readers without scripts may hold there. Others end it, and its own end has no meaning any more. */
const IN_NOSCRIPT = words('basefont bgsound head html link meta noframes noscript style')

/** Elements that a list of choices may hold. */
const OF_CHOICES = words('hr optgroup option')

/** Elements of MathML of which it depends on more than their names what they hold. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['annotation-xml', 'malignmark', 'mglyph'])

const HIDING = /display\s*:\s*none/i

/** Whether an element says of itself that it is not shown. */
export const isHidden = (html: string, { attributes }: ScannedTag): boolean =>
  attributes.some(({ name, from, to }) => name === 'hidden' || (name === 'style' && HIDING.test(html.slice(from, to))))

/** Finds places while HTML is scanned. */
class PlaceFinder implements HtmlScanner {
  readonly #html: string
  #isDocument = false
  #headStart: number | undefined
  #headEnd: number | undefined
  /** Where the first thing is that is shown. */
  #content: number | undefined
  #body: ScannedTag | undefined
  #bodyEnd: number | undefined
  #isOpenAtEnd = false
  #unshowable: Unshowable | undefined
  #hasNoscript = false
  #isInNoscript = false
  #isNoscriptTorn = false

  constructor(html: string) {
    this.#html = html
  }

  get bodyEnd(): number | undefined {
    return this.#bodyEnd
  }

  get isOpenAtEnd(): boolean {
    return this.#isOpenAtEnd
  }

  get hasNoscript(): boolean {
    return this.#hasNoscript
  }

  text(from: number, to: number): void {
    if (this.#content !== undefined || this.#html.slice(from, to).trim() === '') return
    this.#content = from
    this.#isNoscriptTorn ||= this.#isInNoscript
  }

  open(tag: ScannedTag, elements: OpenElements): boolean {
    const { name, from, to } = tag
    const hides = isHidden(this.#html, tag)
    if (name === 'frameset') this.#unshowable ??= 'frames'
    if (elements.isChoices && !OF_CHOICES.has(name)) this.#unshowable ??= 'select'
    if (ANNOTATIONS.has(name)) this.#unshowable ??= 'annotation'
    if (this.#isInNoscript && !IN_NOSCRIPT.has(name)) this.#isNoscriptTorn = true
    if (name === 'noscript') {
      this.#hasNoscript = true
      this.#isInNoscript ||= elements.isEmpty && this.#content === undefined && this.#headEnd === undefined
    }
    if (name === 'html' || name === 'body') {
      this.#isDocument = true
      if (hides) this.#unshowable ??= 'hidden'
    }
    if (name === 'html' || name === 'head') this.#headStart ??= to
    if (name === 'body' && this.#content === undefined) this.#body ??= tag
    if (!OF_HEAD.has(name) && elements.isEmpty) this.#content ??= name === 'body' ? to : from
    return hides
  }

  close(name: string, from: number, to: number, elements: OpenElements): void {
    if (name === 'head' && this.#content === undefined && elements.isEmpty) {
      this.#headEnd ??= from
      this.#headStart = to
    }
    if (name === 'noscript') this.#isInNoscript = false
    if (name !== 'body') return
    this.#bodyEnd = from
    this.#isOpenAtEnd = !elements.isEmpty
  }

  /** @param ends of all that is open where what is shown ends */
  places({ whole, isPlaintext, elements }: ScanEnd, ends: string): Places {
    const start = this.#body?.to ?? this.#content ?? this.#headStart ?? 0
    const torn = this.#isDocument && this.#isNoscriptTorn ? 'noscript' : undefined
    return {
      isDocument: this.#isDocument,
      headEnd: this.#headEnd ?? this.#body?.from ?? this.#headStart ?? 0,
      bodyStart: Math.min(start, whole),
      bodyEnd: this.#bodyEnd ?? whole,
      ends,
      whole,
      unshowable: this.#unshowable ?? torn ?? (isPlaintext ? 'plaintext' : elements.doubt),
    }
  }
}

const NOTHING: HtmlScanner = {}

interface Found {
  readonly places: Places
  readonly hasNoscript: boolean
}

/** Finds places as a browser does, or as one does that runs scripts, for which the content of `noscript` is text. */
const find = function* (html: string, isScripted: boolean, scanner = NOTHING): Steps<Found> {
  const finder = new PlaceFinder(html)
  const end = yield* scanHtml(
    html,
    {
      text(from, to) {
        finder.text(from, to)
        scanner.text?.(from, to)
      },
      open(tag, elements) {
        scanner.open?.(tag, elements)
        return finder.open(tag, elements)
      },
      close(name, from, to, elements) {
        finder.close(name, from, to, elements)
        scanner.close?.(name, from, to, elements)
      },
    },
    { isScripted },
  )
  const { bodyEnd, isOpenAtEnd, hasNoscript } = finder
  if (bodyEnd === undefined) return { places: finder.places(end, end.closing + end.elements.ends()), hasNoscript }
  const options = { isScripted, quirky: isQuirky(html) }
  const { elements } = isOpenAtEnd ? yield* scanHtml(html.slice(0, bodyEnd), NOTHING, options) : end
  const ends = isOpenAtEnd ? elements.ends() : ''
  return { places: finder.places(end, ends), hasNoscript }
}

const findAll = function* (html: string, scanner = NOTHING): Steps<Places> {
  const { places, hasNoscript } = yield* find(html, false, scanner)
  if (!hasNoscript) return places
  const { places: scripted } = yield* find(html, true)
  const isSame = scripted.whole === places.whole && scripted.bodyEnd === places.bodyEnd
  return {
    ...places,
    ends: places.ends + scripted.ends,
    unshowable: places.unshowable ?? (isSame ? undefined : 'noscript'),
  }
}

/** Finds the places of HTML at once, and lets another scanner meet what is in it. */
export const placesIn = (html: string, scanner?: HtmlScanner): Places => atOnce(findAll(html, scanner))

/** Finds the places of HTML in slices, between which others get their turn. */
export const placesInSlices = (html: string): Promise<Places> => inSlices(findAll(html))
