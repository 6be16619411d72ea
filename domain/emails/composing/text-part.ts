import { compile } from 'html-to-text'
import { QuoteType, Tokenizer } from 'htmlparser2'
import { LRUCache } from 'lru-cache'
import type { Piece } from '../liquid/render.ts'

/** Lines of cells are not broken either: where they are would depend on the values. */
const UNBOUND = 1_000_000_000

/** Compiled once: that takes longer than most mails. */
const convert = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, linkBrackets: ['<', '>'] } },
    { selector: 'img', format: 'skip' },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: UNBOUND } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** Returns the plain text of HTML. It has the destination of every link, and each row of a table on a line. */
export const textOfHtml = (html: string): string => convert(html)

/** The text of what a template makes: stretches that never change, and values by their places among the pieces. */
interface Skeleton {
  readonly parts: readonly (string | number)[]
  /** Values that the text shows as destinations of links. */
  readonly destinations: ReadonlySet<number>
}

/** Characters of the templates whose skeletons are kept. */
const KEPT = 2_000_000
/** Values of a template that has a skeleton. */
const MOST_VALUES = 50

const MARK = /[\ue000-\uf8ff]/
const FIRST_MARK = 0xe000

/** What becomes neither space nor markup, whatever stands around it. */
const WORDS = /^[^\s<>&"'\u200b\ue000-\uf8ff]+(?: [^\s<>&"'\u200b\ue000-\uf8ff]+)*$/
const WEB = /^https?:\/\/[\w.~:/-]{20,}$/
/** The beginning of a tag, or of an entity, which a value would complete. */
const UNFINISHED = /(?:<\/?|&[#\w]*)$/
/** Attributes without influence on the text, except for that of destinations. */
const HARMLESS = ['href', 'src', 'alt', 'title', 'style']

const indexOf = (mark: string): number => mark.charCodeAt(0) - FIRST_MARK

/** Finds the marks in texts and in quoted values of harmless attributes. Those in names and the like are in neither. */
const placesIn = (html: string): { readonly inText: ReadonlySet<number>; readonly inTags: ReadonlySet<number> } => {
  const [inText, inTags] = [new Set<number>(), new Set<number>()]
  const marks = (from: number, to: number) => html.slice(from, to).match(new RegExp(MARK, 'g')) ?? []
  let ofValue: string[] = []
  let isHarmless = false
  const ignored = () => undefined
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext(from, to) {
        for (const mark of marks(from, to)) inText.add(indexOf(mark))
      },
      onattribname(from, to) {
        isHarmless = HARMLESS.includes(html.slice(from, to).toLowerCase())
        ofValue = []
      },
      onattribdata(from, to) {
        ofValue.push(...marks(from, to))
      },
      onattribend(quote) {
        const isQuoted = quote === QuoteType.Single || quote === QuoteType.Double
        if (isHarmless && isQuoted) for (const mark of ofValue) inTags.add(indexOf(mark))
      },
      ...{ oncdata: ignored, onclosetag: ignored, oncomment: ignored, ondeclaration: ignored, onend: ignored },
      ...{ onopentagend: ignored, onprocessinginstruction: ignored, onselfclosingtag: ignored },
      ...{ onopentagname: ignored, onattribentity: ignored, ontextentity: ignored },
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return { inText, inTags }
}

const htmlWith = (pieces: readonly Piece[], markOf: (index: number) => string): string =>
  pieces.map(({ text, isValue }, index) => (isValue ? markOf(index) : text)).join('')

/** Returns the skeleton of a template; `undefined`: its text depends on the values in other ways than by holding them. */
const skeletonOf = (pieces: readonly Piece[]): Skeleton | undefined => {
  const markOf = (index: number) => String.fromCharCode(FIRST_MARK + index)
  const still = pieces.filter(({ isValue }) => !isValue)
  if (still.some(({ text }) => MARK.test(text) || UNFINISHED.test(text))) return undefined
  const html = htmlWith(pieces, markOf)
  const { inText, inTags } = placesIn(html)
  if (pieces.some(({ isValue }, index) => isValue && !inText.has(index) && !inTags.has(index))) return undefined
  const text = convert(html)
  // The columns of a table are as wide as their longest value.
  const longer = convert(htmlWith(pieces, (index) => markOf(index).repeat(20)))
  if (text.replace(new RegExp(MARK, 'g'), (mark) => mark.repeat(20)) !== longer) return undefined
  const parts = text.split(new RegExp(`(${MARK.source})`)).map((part) => (MARK.test(part) ? indexOf(part) : part))
  const shown = parts.filter((part) => typeof part === 'number')
  return { parts, destinations: new Set(shown.filter((index) => inTags.has(index))) }
}

/** Skeletons by the pieces that never change. */
const skeletons = new LRUCache<string, { readonly skeleton: Skeleton | undefined }>({
  maxSize: KEPT,
  sizeCalculation: (_, { length }) => 2 * length + 1,
})

const skeletonFor = (pieces: readonly Piece[]): Skeleton | undefined => {
  const key = pieces.map(({ text, isValue }) => (isValue ? 'value,' : `${text.length}:${text}`)).join('')
  const known = skeletons.get(key)
  if (known) return known.skeleton
  const skeleton = skeletonOf(pieces)
  skeletons.set(key, { skeleton })
  return skeleton
}

/** Whether a value is in the text as it is. A destination is hidden where the words of the link are the same. */
const isPlain = (pieces: readonly Piece[], index: number, isDestination: boolean): boolean => {
  const value = pieces[index]?.text ?? ''
  if (!isDestination) return WORDS.test(value)
  return WEB.test(value) && pieces.every(({ text }, other) => other === index || !text.includes(value))
}

/**
 * Returns the plain text of HTML that was rendered in pieces: that of the whole. For all recipients of a mailing it is mostly the same but for the values, so it
 * is made once where that is certain.
 */
export const textOfPieces = (pieces: readonly Piece[]): string => {
  const values = pieces.flatMap(({ isValue }, index) => (isValue ? [index] : []))
  const skeleton = values.length > MOST_VALUES ? undefined : skeletonFor(pieces)
  const holds = skeleton && values.every((index) => isPlain(pieces, index, skeleton.destinations.has(index)))
  if (!holds) return convert(pieces.map(({ text }) => text).join(''))
  return skeleton.parts.map((part) => (typeof part === 'string' ? part : pieces[part]?.text)).join('')
}
